"""Lab draft formats and pickers (to come); drafts of the rulebooks are kernel atoms."""
