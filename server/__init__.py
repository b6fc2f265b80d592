"""HTTP and the command line: what people and programs reach laios by."""
