"""English grammar by rules: clauses, questions, voice and degrees of adjectives."""
