"""Why a comparison, or a row of it, cannot be made. Raised everywhere, caught in main.py and rounds.py."""


class BenchError(Exception):
    """Something that the user has to mend; its text is the whole message."""


class NotSupported(Exception):
    """A server cannot do what a row is about; its text says who and what."""
