"""What judges know about language: values, denial, polarity, dialogue acts, repetition."""
