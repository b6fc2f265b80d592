"""laios as a server of the Model Context Protocol: one table of tools, over stdio and over HTTP.
The only place that imports the `mcp` package."""
