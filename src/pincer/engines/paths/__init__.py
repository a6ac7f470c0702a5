"""Exploration of paths: programs with few paths are decided by walking all of them."""
