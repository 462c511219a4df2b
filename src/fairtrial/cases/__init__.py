"""Case sets: read, checked whole, selected from."""
