"""Runs, but does not connect."""

from tests.misbehaving.raw import wait_for_ever

wait_for_ever()
