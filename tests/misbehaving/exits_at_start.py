"""Ends before it connects."""

import sys

sys.exit("a missing library, for instance")
