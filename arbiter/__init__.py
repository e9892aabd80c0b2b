"""The tournament arbiter: deals, keeps the clocks, checks every action, records and ranks bots."""
