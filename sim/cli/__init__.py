"""The `tenball` command: one module per family of commands."""
