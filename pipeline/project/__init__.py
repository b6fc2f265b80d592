"""Whole small projects as data: their plan, their files, what holds them together, and the forms
in which they are handed over. Pure, but for the tests that run in the sandbox.
"""
