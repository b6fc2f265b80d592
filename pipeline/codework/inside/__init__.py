"""What runs in the sandbox beside the code and its tests."""
