"""Worker processes that read untrusted files and report what they find as lines of JSON on a
pipe."""
