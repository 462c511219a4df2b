"""How sessions are run: order, limits, waiting, stopping."""
