"""Writes dialogues as a shop's live service keeps them, one JSON object a line. Invented, all of it.

    python live.py --count 300 --seed 5 --out live.jsonl

Its users are not those of `cases/`: they tell a story first, are upset, mistype, come back to what they said,
and a third of them want an invoice or a coupon, of which no case speaks. One in three says how it went.
"""

import argparse
import json
import random
from datetime import datetime, timedelta

STORIES = {
    "zh": [
        "我上周四拍的{goods}现在都一周了还没动静，你们是不是忘记发货了",
        "双十一那天半夜抢的{goods}，当时客服跟我说三天就到，结果等到现在",
        "给我妈买的{goods}，老人家天天问我，我都不知道怎么跟她说",
        "{goods}收到倒是收到了，打开一看有点问题，跟图片上完全不一样",
        "上次也是在你们家买的{goods}，那次挺好的这次就不行了",
    ],
    "en": [
        "so i ordered the {goods} like two weeks ago and the page still says the same thing",
        "bought the {goods} for my sister's birthday and she's been asking me about it every day",
        "the {goods} came yesterday but it's not at all what the pictures show",
        "last time everything went fine with you guys, this time the {goods} is just a mess",
    ],
}
GOODS = {
    "zh": ["羽绒服", "机械键盘", "跑步鞋", "电饭煲", "行李箱"],
    "en": ["jacket", "keyboard", "shoes", "kettle"],
}
WANTS = {
    "logistics": {
        "zh": ["快弟到底到哪了啊", "咋查不到物留呢，帮我看看呗"],
        "en": ["wheres my pacel", "can u check where it is pls"],
    },
    "refund": {
        "zh": ["我想退了但是找不到订单里面的按钮", "不想要了，退宽多久能到账？"],
        "en": ["i want my money back", "how do i get a refnud for this"],
    },
    "exchange": {
        "zh": ["能不能给我换个大一码的，不用退", "换个颜色行不行，这个颜色显老"],
        "en": ["can i swap it for a bigger one"],
    },
    "invoice": {
        "zh": ["发票开错抬头了，要重新开一张公司的", "电子发票一直没发到我邮箱"],
        "en": ["i still need an invoice with the company name on it"],
    },
    "coupon": {
        "zh": ["满减的券下单的时候没用上，能补给我吗", "优惠券显示已使用，可我根本没用过"],
        "en": ["my coupon was gone at the checkout, can you add it back"],
    },
}
MOODS = {
    "zh": ["真的服了！！", "急死我了😭", "打了三次电话都没人接", "麻烦快点，我赶时间", ""],
    "en": ["this is so frustrating!!", "nobody picks up the phone", "please hurry 😭", ""],
}
BACK = {
    "zh": [
        "等一下，我翻翻……单号是 JD{number}",
        "对了，刚才说的那个到底行不行？",
        "嗯，电话是 138{phone}，你们打这个",
    ],
    "en": [
        "hold on... it's US{number}",
        "wait, what about the thing i said first?",
        "my number is 617-555-{short}, call me",
    ],
}
REPLIES = {"zh": "亲，请您提供订单号，我帮您核实一下。", "en": "Could you give me the order number, please?"}


def dialogue(number: int, draw: random.Random) -> dict:
    """One dialogue of a user; whether it went well depends on what was wanted and on chance."""
    tongue = "zh" if draw.random() < 0.7 else "en"
    intent = draw.choice(list(WANTS))
    story = draw.choice(STORIES[tongue]).format(goods=draw.choice(GOODS[tongue]))
    mood, want = draw.choice(MOODS[tongue]), draw.choice(WANTS[intent][tongue])
    turns = [("，" if tongue == "zh" else ", ").join(filter(None, (story, want, mood)))]
    for text in draw.sample(BACK[tongue], draw.randint(1, 3)):
        digits = "".join(draw.choices("0123456789", k=11))
        turns.append(text.format(number=f"20241{digits[:8]}", phone=digits[:8], short=digits[:4]))
    messages = []
    for turn in turns:
        messages += [{"role": "user", "content": turn}, {"role": "assistant", "content": REPLIES[tongue]}]
    at = datetime(2024, 11, 18) + timedelta(minutes=draw.randrange(7 * 24 * 60))
    found = {
        "id": f"live-{number:04}",
        "at": at.isoformat(),
        "intent": intent,
        "version": "2.1",
        "messages": messages,
    }
    if draw.random() < 1 / 3:
        resolved = draw.random() < {"invoice": 0.3, "coupon": 0.3}.get(intent, 0.7)
        score = draw.choice([3, 4, 5] if resolved else [1, 1, 2])
        found |= {"resolved": resolved, "satisfied": {"score": score, "of": 5}}
    return found


def main() -> None:
    """Write the file that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    draw = random.Random(args.seed)
    with open(args.out, "w", encoding="utf-8") as file:
        for number in range(args.count):
            file.write(json.dumps(dialogue(number, draw), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
