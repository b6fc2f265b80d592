"""Every reader of untrusted text, and what could hold it up."""
