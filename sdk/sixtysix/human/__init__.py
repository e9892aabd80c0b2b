"""A person at the table: ``python -m sixtysix human``, against a bot here or through an arbiter."""
