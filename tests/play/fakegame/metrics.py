import numpy as np

GAME = np.dtype([("vp", "i4", (4,)), ("drama", "f8")])
HERO = np.dtype([("steps", "i4")])
NODE = np.dtype([("visits", "i8")])
TALLY = np.dtype([("game", GAME), ("hero", HERO, (8,)), ("node", NODE, (4,))])
