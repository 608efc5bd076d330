"""How the embedded judges were made; every script runs again from public data.

    python -m chattest.training.reader --data FOLDER

`lora` wraps the encoder and writes adapters, `loop` is the training that all scripts share, `data` reads the public
files. Start with the docstring of `loop`.
"""
