"""chattest in pytest: the plugin, and the export of checks as a test file."""
