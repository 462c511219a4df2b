"""A stub to replace: an information desk that knows a few answers. One process a session, JSON lines."""

import json
import sys

ANSWERS = {
    ("open", "hours", "sunday"): "We are open Monday to Saturday, 9:00 to 18:00; closed on Sunday.",
    ("几点", "营业", "周日"): "周一至周六 9:00–18:00 营业，周日休息。",
    ("flat", "tyre", "puncture"): "Mending a flat tyre costs 12 euros and takes 30 minutes; please bring the wheel.",
    ("补胎", "爆胎"): "补胎 25 元，大约 30 分钟，请把车轮带来。",
    ("brake",): "Adjusting the brakes costs 18 euros. Shall I book you in for tomorrow?",
    ("刹车",): "调刹车 40 元。需要我帮您约明天吗？",
    ("rent", "hire"): "Renting a bike costs 15 euros a day, with a deposit of 50 euros.",
    ("租",): "租车每天 30 元，押金 300 元。",
    ("phone", "call"): "You can call us on 400-820-1234.",
    ("电话",): "请拨打 400-820-1234。",
    ("where", "address"): "We are at 12 Mill Lane, behind the station.",
    ("在哪", "地址"): "我们在磨坊路12号，火车站后面。",
    ("deliver", "shipping"): "Delivery takes 24 to 48 hours; we will send you the tracking number.",
    ("electric", "e-bike"): "Thank you for your interest in e-bikes! We are always happy to help you.",
    ("电瓶车", "电动车"): "感谢您对电动车的关注，我们将竭诚为您服务！",
    ("送货", "多久"): "送货需要 24 到 48 小时，发出后会把运单号发给您。",
}


def reply(text):
    for words, answer in ANSWERS.items():
        if any(word in text.lower() for word in words):
            return answer
    return "抱歉，我不太明白。" if any("\u4e00" <= char for char in text) else "Sorry, I did not understand."


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "user":
        print(json.dumps({"type": "reply", "text": reply(message["text"])}), flush=True)
    elif message["type"] == "close":
        break
