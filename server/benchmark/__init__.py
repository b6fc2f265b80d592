"""`laios bench`: how often each mode's answers pass hidden tests, on the models that there are;
`laios replay`: earlier requests, asked again."""
