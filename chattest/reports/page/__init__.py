"""The HTML page: its template, style and scripts, and the content for them."""
