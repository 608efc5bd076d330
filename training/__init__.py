"""Training of the embedded judges; every script can be run again on public data.

    python -m training.reader --data FOLDER

`task` says what a script provides, `command` is its command line, `loop` trains, `lora` wraps the encoder and writes
adapters. Start with the docstring of `command`.
"""
