"""What README's figures of speed and memory are measured with: `make bench`, or one alone: `python -m benchmarks.turns`."""
