"""OpenSpiel's side of ``python -m benchmarks openspiel``: a process that answers requests, a JSON line each.

Runs under a Python that has OpenSpiel and nothing of ours. All that is timed runs in OpenSpiel's C++.
"""

from __future__ import annotations

import json
import random
import sys
import time

import pyspiel

EXPLORATION = 2.0  # exploration of UCT on scores from -1 to 1: the same bound as 1.0 on scores from 0 to 1
MEMORY = 2000  # megabytes that a tree may take


def state_of(request):
    """The state after some moves, given by their texts; an unknown one is an error."""
    state = pyspiel.load_game(request["game"]).new_initial_state()
    for text in request.get("moves", ()):
        (action,) = [one for one in state.legal_actions() if state.action_to_string(one) == text]
        state.apply_action(action)
    return state


def searcher(request, rollouts, simulations):
    """OpenSpiel's own search with uniformly random rollouts, both in C++; the solver is off."""
    game = pyspiel.load_game(request["game"])
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, request["seed"])
    return pyspiel.MCTSBot(game, evaluator, EXPLORATION, simulations, MEMORY, False, request["seed"], False)


def legal(request):
    """Texts of the legal moves."""
    state = state_of(request)
    return {"legal": sorted(state.action_to_string(action) for action in state.legal_actions())}


def lengths(request):
    """Mean plies of a random game: games driven from Python, not timed."""
    dice, plies = random.Random(request["seed"]), 0
    for _ in range(request["count"]):
        state = state_of(request)
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
            plies += 1
    return {"plies": plies / request["count"]}


def playouts(request):
    """CPU seconds of many random playouts: one simulation of a search whose leaf is worth that many.

    The leaf is the root, so each rollout is a whole game from the first position.
    """
    bot, state = searcher(request, request["count"], 1), state_of(request)
    began = time.thread_time()
    bot.step(state)
    return {"cpu": time.thread_time() - began}


def search(request):
    """Plies of each of some games that searches play on both seats, one rollout a simulation; CPU seconds."""
    spent, plies = 0.0, []
    for number in range(request["count"]):
        bot = searcher({**request, "seed": request["seed"] + number}, 1, request["simulations"])
        state = state_of(request)
        began = time.thread_time()
        while not state.is_terminal():
            state.apply_action(bot.step(state))
        spent += time.thread_time() - began
        plies.append(state.move_number())
    return {"cpu": spent, "plies": plies}


DO = {"legal": legal, "lengths": lengths, "playouts": playouts, "search": search}

if __name__ == "__main__":
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        wanted = json.loads(line)
        print(json.dumps(DO[wanted["do"]](wanted)), flush=True)
