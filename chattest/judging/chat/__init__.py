"""Chat models that judge: what they are asked, how their answers are read, and what they cost."""
