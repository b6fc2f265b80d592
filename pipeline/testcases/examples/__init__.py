"""The examples that a request has, in the forms in which people write them."""
