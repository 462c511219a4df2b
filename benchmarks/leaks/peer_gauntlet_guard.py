"""gauntlet-guard at its best: two texts are copies where they share two of its shingles, its scan's least.

Reads a JSON list of texts, writes the pairs of places. Runs in its own environment.
"""

import json
import sys
from collections import Counter

from gauntlet.fingerprint import normalize, shingle_set

texts = json.load(sys.stdin)
where: dict[str, list[int]] = {}
shared: Counter[tuple[int, int]] = Counter()
for place, text in enumerate(texts):
    for shingle in shingle_set(normalize(text)):
        for other in where.setdefault(shingle, []):
            shared[other, place] += 1
        where[shingle].append(place)
json.dump([pair for pair, count in shared.items() if count >= 2], sys.stdout)
