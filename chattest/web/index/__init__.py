"""The index of a folder of runs, which the app can rebuild at any time."""
