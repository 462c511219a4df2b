"""One locked, hash-chained file: looks at sealed cases, draws, rotations, decisions."""
