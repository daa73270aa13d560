"""What tests/clients/run is made of. Knows suites and toolchains, nothing of Redis commands."""
