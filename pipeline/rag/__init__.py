"""`///plan`, `///refine` and `///ask`: generation with retrieved documentation."""
