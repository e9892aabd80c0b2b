"""Does not get as far as connecting."""

raise RuntimeError("no model in /models/best.bin")
