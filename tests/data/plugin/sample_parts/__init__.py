"""One part of each sort, as an installed package adds them to chattest."""
