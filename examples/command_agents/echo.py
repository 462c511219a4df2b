#!/usr/bin/env python3
import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "user":
        answer = {"type": "reply", "text": f"You said: {message['text']}"}
        print(json.dumps(answer), flush=True)
    elif message["type"] == "close":
        break
