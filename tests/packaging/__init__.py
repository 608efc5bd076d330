"""The wheel, the console command, and the projects that `chattest init` writes."""
