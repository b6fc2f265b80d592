"""Examples and tests as data: reading them out of a prompt, running a draft against them."""
