"""`laios export`: training data out of one's own history."""
