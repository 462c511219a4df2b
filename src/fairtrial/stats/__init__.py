"""Arrays in, numbers out. Knows no case and no file."""
