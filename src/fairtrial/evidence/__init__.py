"""What a result is worth: estimates, doubts."""
