"""Published benchmarks (LoCoMo, LongMemEval): read, play, judge and tabulate them."""
