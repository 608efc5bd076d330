"""The models that the seed's README names, or any of their kind from a hub or a folder."""
