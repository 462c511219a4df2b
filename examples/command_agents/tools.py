#!/usr/bin/env python3
import json
import sys

ORDERS = {"A1": "sent", "A2": "paid"}
looked_up = {}


def ask(**message):
    print(json.dumps(message), flush=True)
    return json.loads(sys.stdin.readline())


def use(tool, **arguments):
    ruling = ask(type="tool", name=tool.__name__, arguments=arguments)
    if "error" in ruling:
        raise RuntimeError(ruling["error"])  # as if the tool had failed
    return ask(type="result", result=tool(**arguments))["result"]


def find(order):
    looked_up[order] = ORDERS.get(order)
    return {"order": order, "state": ORDERS.get(order)}


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "state":
        print(json.dumps({"type": "state", "state": looked_up}), flush=True)
    elif message["type"] == "user":
        order = message["text"].split()[-1]
        call = {"step": "call", "name": "find", "arguments": {"order": order}}
        try:
            call["result"] = use(find, order=order)
            text = f"Order {order}: {call['result']}"
        except RuntimeError as error:
            call["error"] = str(error)
            text = f"Sorry, I cannot see order {order}: {error}"
        print(json.dumps({"type": "reply", "text": text, "steps": [call]}), flush=True)
