"""What is put into the sandbox beside a program: files that run there, on the builtins of any
Python 3. Every import would cost each test milliseconds. laios itself imports `value_json`
alone."""
