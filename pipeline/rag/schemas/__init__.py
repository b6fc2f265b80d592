"""The typed objects of seed 003, one file a phase."""
