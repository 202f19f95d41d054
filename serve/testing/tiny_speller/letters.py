"""The letters of the tiny speller."""

LETTERS = " 'abcdefghijklmnopqrstuvwxyz"
BLANK = 0
"""Its class; each letter's is one more than its place."""
