"""`python -m fairtrial`."""

from fairtrial.cli.main import main

main()
