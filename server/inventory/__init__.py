"""The models that there are, and which one plays which role."""
