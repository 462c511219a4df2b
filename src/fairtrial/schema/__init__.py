"""The nouns of the product, one frozen type each: case, record, score, evidence."""
