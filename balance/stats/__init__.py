"""Pure functions: frames in, frozen results with intervals out; scipy lives here only."""
