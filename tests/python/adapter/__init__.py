"""The adapter of tests/kit: the vectors of this project through the package."""
