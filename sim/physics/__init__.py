"""The engine: numba kernels on plain arrays. README.md in this folder derives it."""
