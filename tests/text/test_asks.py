"""What counts as asking for a kind of information, and what only looks like it."""

import pytest

from fairtrial.text.asks import asks

ASKS = [
    ("order_number", "订单号是多少？"),
    ("order_number", "请提供订单号"),
    ("order_number", "您好，请您提供一下您的订单号，我来帮您查询。"),
    ("order_number", "麻烦把订单号发给我"),
    ("order_number", "能告诉我订单编号吗？"),
    ("order_number", "需要您的订单号才能继续"),
    ("order_number", "請提供您的訂單號碼"),
    ("order_number", "请提供姓名、手机号和订单号。"),
    ("order_number", "方便说一下快递单号吗"),
    ("order_number", "抱歉给您添麻烦了！您的订单号呢？"),
    ("order_number", "请问有订单号吗？"),
    ("order_number", "请提供订单号（如 JD2024111138271）"),
    ("order_number", "Could you give me your order number?"),
    ("order_number", "Please provide the order number so I can look it up."),
    ("order_number", "What's your order number?"),
    ("order_number", "I'll need your order number first."),
    ("order_number", "May I have your tracking number, please?"),
    ("order_number", "Do you have the order ID?"),
    ("order_number", "Sorry to hear that. Please share your name and order number."),
    ("order_number", "Your order number?"),
    ("date", "您是哪天下的单？"),
    ("date", "请告诉我具体的日期"),
    ("date", "您打算什么时候出发？"),
    ("date", "When did you place the order?"),
    ("date", "Could you tell me the date of purchase?"),
    ("amount", "请问您付了多少钱？"),
    ("amount", "请提供退款金额"),
    ("amount", "How much did you pay?"),
    ("amount", "What was the amount?"),
    ("phone", "请留下您的联系电话"),
    ("phone", "麻烦提供下单的手机号"),
    ("phone", "请提供订单号对应的手机号"),
    ("phone", "Can I have your phone number?"),
    ("place", "请提供收货地址"),
    ("place", "您在哪个城市？"),
    ("place", "Please send me your shipping address."),
    ("place", "Where should we send the replacement?"),
]
DOES_NOT = [
    ("order_number", "您的订单号 JD2024111138271 已查到"),
    ("order_number", "已收到您提供的订单号，正在查询。"),
    ("order_number", "您不需要提供订单号，我已经查到了。"),
    ("order_number", "请勿向他人提供订单号。"),
    ("order_number", "请妥善保管您的订单号"),
    ("order_number", "我会把订单号发给您"),
    ("order_number", "请提供订单号对应的手机号"),
    ("order_number", "请确认订单号是否正确"),
    ("order_number", "请提供订单号 JD2024111138271 的照片"),
    ("order_number", "请告诉我原因，您的订单号 JD2024111138271 已查到"),
    ("order_number", "订单号：JD2024111138271"),
    ("order_number", "请问您是想查询订单号吗？"),
    ("order_number", "请提供手机号"),
    ("order_number", "Your order number JD2024111138271 was found."),
    ("order_number", "Thank you for providing your order number."),
    ("order_number", "Please keep your order number for your records."),
    ("order_number", "No need to send your order number again."),
    ("order_number", "You don't need to provide your order number."),
    ("order_number", "I can give you your order number."),
    ("order_number", "Could you tell me why? Order number JD2024111138271 was found."),
    ("order_number", "Please provide the reason for order number JD2024111138271."),
    ("order_number", "Could you tell me your phone number?"),
    ("date", "您的订单将于 11 月 11 日送达。"),
    ("date", "什么时候都可以联系我们。"),
    ("date", "您想知道什么时候到货吗？"),
    ("date", "Come back when you like."),
    ("amount", "退款金额为 199 元。"),
    ("amount", "The amount is $199."),
    ("phone", "我们的客服电话是 400-800-1234。"),
    ("phone", "You can call us at 1-800-555-0100."),
    ("place", "您的地址已修改。"),
    ("place", "Your address was changed."),
    ("place", "Where there is an error we will mend it."),
    ("order_number", ""),
]


@pytest.mark.parametrize(("kind", "reply"), ASKS)
def test_a_reply_asks(kind: str, reply: str) -> None:
    assert asks(kind, reply)


@pytest.mark.parametrize(("kind", "reply"), DOES_NOT)
def test_a_reply_does_not_ask(kind: str, reply: str) -> None:
    assert not asks(kind, reply)
