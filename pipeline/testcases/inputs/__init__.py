"""Standard input that a request describes: its lines, their values, and texts of that form."""
