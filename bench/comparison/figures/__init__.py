"""What a process costs beside its commands: start, memory, expiry. Each figure starts servers of its own."""

from comparison.figures import expiry, memory, start

# Each has NAMES and cases(names, options).
MODULES = (start, memory, expiry)
NAMES = tuple(name for module in MODULES for name in module.NAMES)


def cases(names, options):
    for module in MODULES:
        yield from module.cases([name for name in names if name in module.NAMES], options)
