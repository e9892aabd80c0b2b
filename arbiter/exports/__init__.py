"""What was played, in forms that other programs read: PGN, CSV, JSON Lines and Parquet."""
