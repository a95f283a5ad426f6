"""The command line: one file a command; parse, load, call, print."""
