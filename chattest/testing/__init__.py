"""chattest inside pytest: the plugin, and checks written out as a test file."""
