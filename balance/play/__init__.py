"""A plan played: cells, parts, chunks, workers, and a folder that is whole or can be gone on with."""
