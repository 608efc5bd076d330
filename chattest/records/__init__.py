"""The records that the steps hand to each other. They import nothing of ours but records."""
