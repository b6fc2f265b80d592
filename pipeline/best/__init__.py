"""`///best`: several drafts whatever happens, chosen by what they do when run."""
