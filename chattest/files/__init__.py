"""Write files atomically, read them within limits, and find the line in a file that is wrong."""
