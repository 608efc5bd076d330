"""Benchmarks behind the docs' figures of speed and memory: `make bench`, or `python -m benchmarks.turns` for one."""
