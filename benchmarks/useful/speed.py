"""CPU time of `useful` for one reply of about 60 characters, per language, and of long replies.

    python benchmarks/useful/speed.py

Medians of several runs. `same` scores one reply again and again (as the trials of a case do); `other` gives
each reply another order number, so that nothing about the reply itself can have been kept.
"""

import statistics
import time

from fairtrial.scoring.useful import useful

RUNS, REPLIES = 9, 300
CASES = {
    "en": (
        "Order {} was refunded $199.00 on Nov 12; it arrives in 3 days.",
        "Where is my refund for order {}?",
        '{{"order_id": "{}", "status": "refunded", "amount": 199.0, "date": "2024-11-12", "days": 3}}',
    ),
    "zh": (
        "您的订单{}已于11月12日退款，金额199.00元，预计3个工作日到账，请在“我的订单”里查看进度。",
        "我的订单{}退款到哪了？",
        '{{"订单号": "{}", "状态": "已退款", "金额": 199.0, "日期": "2024-11-12", "到账": "3个工作日"}}',
    ),
}


def microseconds(language, numbers):
    reply, asked, source = CASES[language]
    inputs = [(reply.format(n), asked.format(n), source.format(n)) for n in numbers]
    begin = time.process_time()
    for text, question, found in inputs:
        useful(text, user_turns=[question], earlier_replies=[], sources=[found])
    return (time.process_time() - begin) / len(inputs) * 1e6


def main():
    print("| reply | language | characters | µs, median of", RUNS, "runs | slowest |")
    print("| --- | --- | --- | --- | --- |")
    for language, (reply, *_) in CASES.items():
        microseconds(language, ["JD20241"])
        same = [microseconds(language, ["JD20241"] * REPLIES) for _ in range(RUNS)]
        other = [microseconds(language, [f"JD{run}{n:05}" for n in range(REPLIES)]) for run in range(RUNS)]
        for name, times in (("same", same), ("other, with its own sources", other)):
            size = len(reply.format("JD20241"))
            print(f"| {name} | {language} | {size} | {statistics.median(times):.0f} | {max(times):.0f} |")
        for size in (10_000, 100_000):
            text = (reply.format("JD20241") + " ") * (size // len(reply))
            begin = time.process_time()
            useful(text, user_turns=["?"], earlier_replies=[], sources=["JD20241"])
            print(f"| long | {language} | {len(text)} | {(time.process_time() - begin) * 1e6:.0f} | |")


if __name__ == "__main__":
    main()
