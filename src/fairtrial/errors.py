"""Every error that fairtrial raises at its users: one root, few branches.

A failure of the examined agent is not an error here: it is a `Status` in a record.
"""


class FairtrialError(Exception):
    """Root of all errors meant for a person; `exit_code` is what the command line returns.

    `str(error)` is one line: where, what, how to mend it.
    """

    exit_code = 4

    def __init__(self, what: str, *, where: str = "", how: str = "") -> None:
        self.what, self.where, self.how = what, where, how
        place = f"{where}: " if where else ""
        mend = f" ({how})" if how else ""
        super().__init__(f"{place}{what}{mend}")


class BadInput(FairtrialError):
    """A file, option or value that a person gave is wrong; nothing was called."""

    exit_code = 2


class CannotRun(FairtrialError):
    """The input is fine, but the work cannot be done here: no address, no disk, no key."""

    exit_code = 4
