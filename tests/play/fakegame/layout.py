HERO_NAMES = ("ant", "bee", "cat", "dog")
