"""What README's figures of speed and memory come from: `make bench`, or `python -m benchmarks.turns` for one."""
