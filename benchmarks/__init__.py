"""Benchmarks behind the figures of speed and memory in the docs: `make bench`, or `python -m benchmarks.turns` for one."""
