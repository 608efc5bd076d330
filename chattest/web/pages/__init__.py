"""The pages; each module has a function `routes(project)`."""
