"""The page's parts: template, style and script, and what is put into them."""
