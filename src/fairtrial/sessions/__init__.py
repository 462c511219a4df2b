"""Sessions as an examiner leads them: the user's side, what is done to them on purpose, what to ask next."""
