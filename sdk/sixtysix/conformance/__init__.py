"""Tells the author of a bot, in whatever language, what is wrong with it: ``python -m sixtysix check`` and ``rerun``.

Both are an arbiter of their own that the bot connects to over gRPC. `check` leads it through the numbered scenarios of
`docs/conformance.md`; `rerun` asks it the decisions of recorded deals.
"""
