"""Signatures of functions and types with methods, read from a program's syntax tree."""
