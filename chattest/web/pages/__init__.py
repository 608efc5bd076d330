"""The pages; each module has a function `routes(place)`."""
