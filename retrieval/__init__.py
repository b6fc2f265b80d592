"""The index of documentation: reading sources, storing chunks and names, searching them."""
