"""Real data, kept small, and the demonstration that feeds it through the whole line."""
