"""What can be said of code without a model and without running it. Pure."""
