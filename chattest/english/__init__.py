"""English grammar and words for alterations: clauses, questions, voice, names, places, synonyms."""
