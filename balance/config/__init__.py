"""YAML in, validated frozen models out; every fault with its file, line and column."""
