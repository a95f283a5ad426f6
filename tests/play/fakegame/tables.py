def compile_tables(ruleset, mode, arena):
    return {"mode": mode, "arena": arena}


def make_setup(ruleset, mode, draft, rosters=None):
    return {"draft": draft, "rosters": rosters}
