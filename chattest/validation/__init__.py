"""How right the judges are, measured on labelled replies."""
