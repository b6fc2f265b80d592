"""The security reviewer: what bandit finds, and a model that says what of it can be used."""
