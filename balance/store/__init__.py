"""Runs on disk: rows to Parquet and back, the manifest, the digest."""
