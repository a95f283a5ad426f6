"""What asks several positions, runs or looks: the rules oracle, case files."""
