"""English grammar by rules: clauses, questions, voice, degrees of adjectives."""
