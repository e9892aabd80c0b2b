"""Connects, but never says hello."""

from tests.misbehaving.raw import RawStream

for _ in RawStream().updates():
    pass
