"""Ratings: what the results of matches say about how strong the players are, and how sure that is. Pure."""
