"""The live page: a process of its own that shows the tournament while it is played.

The arbiter (`arbiter.web.page`) starts it and tells it, a line a second, who plays whom and which matches have ended
(`arbiter.web.news`); cards are not among that. All else the process reads in the store, as every reader does. So
whatever viewers do, they take no time from the loop that plays the matches.
"""
