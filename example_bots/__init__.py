"""Example bots, a ladder from random play to search by sampling: one idea a file."""
