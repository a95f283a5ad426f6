def node_names(ruleset, arena):
    return ["a1", "a2", "b1", "b2"]
