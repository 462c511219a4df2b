"""What happened: the run log, the history, and the logs of other tools."""
