"""The forms of the database, one revision each, run by `arbiter.migration`. A released one is never changed."""
