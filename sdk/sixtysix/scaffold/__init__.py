"""Ready-to-run projects for new bots: ``python -m sixtysix new``."""
