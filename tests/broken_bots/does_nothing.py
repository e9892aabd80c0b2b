"""Hangs before it connects."""

from tests.misbehaving.raw import wait_for_ever

wait_for_ever()
