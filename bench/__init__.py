"""Timings: `make bench`, or `python -m bench [SECTION …]`. Not part of the tests: a figure depends on the machine."""
