"""What the agent says, in English and Chinese side by side."""

_TEXTS = {
    "greet": (
        "Hello! Send me your order number and I can look up, refund, exchange or re-address an order.",
        "您好！请把订单号发给我，我可以帮您查订单、查物流、退款、换货或修改地址。",
    ),
    "thanks": ("You're welcome. Have a nice day!", "不客气，祝您生活愉快！"),
    "lost": (
        "Sorry, I did not get that. Please tell me your order number and whether you want a refund, an "
        "exchange, a new address or the tracking.",
        "抱歉，我没有理解您的意思。请告诉我订单号，以及您要退款、换货、改地址还是查物流。",
    ),
    "unavailable": (
        "Our system does not answer at the moment. Please try again later.",
        "系统暂时没有响应，请稍后再试。",
    ),
    "stall": ("We are working on it, please bear with us.", "正在为您处理，请您耐心等待。"),
    "which_order": (
        "Sure. Which order is it about? Please send me the order number (US and 13 digits) or the phone "
        "number you ordered with.",
        "好的，请提供订单号（JD 加 13 位数字），或者下单时的手机号。",
    ),
    "several": (
        "I found these orders for {phone}: {orders}. Which one do you mean?",
        "手机号 {phone} 名下有这些订单：{orders}。请问是哪一单？",
    ),
    "nobody": (
        "I found no order for {phone}. Please check the number, or send me the order number.",
        "没有查到 {phone} 名下的订单，请核对手机号，或者直接提供订单号。",
    ),
    "not_found": (
        "I can not find order {order_id}. Please check the number in your confirmation and send it again.",
        "没有查到订单 {order_id}，请核对订单号后再发给我。",
    ),
    "status": (
        "Order {order_id}: {items}, {total} in all, placed "
        "on {placed}. It is {status}. Tell me if you want a "
        "refund, an exchange or the tracking.",
        "订单 {order_id}：{items}，共 {total}，{placed} 下单，"
        "目前{status}。如需退款、换货或查物流，请直接告诉我。",
    ),
    "track": (
        "Your parcel {tracking} is with {carrier}. Latest: {at}, {place}: {what}. Expected on {eta}. Please "
        "tell me if it has not come by then.",
        "您的包裹由{carrier}承运，运单号 {tracking}。最新进展：{at} "
        "{place}，{what}。预计 {eta} 送达，届时未收到请告诉我。",
    ),
    "track_waiting": (
        "Order {order_id} has not been shipped yet; it should "
        "reach you on {eta}. You can still change the address.",
        "订单 {order_id} 还没有发货，预计 {eta} 送达。现在仍可以修改地址或取消。",
    ),
    "track_done": (
        "Order {order_id} was delivered on {delivered} by "
        "{carrier}, tracking number {tracking}. Please check "
        "with your neighbours or reception, and tell me if it is not there.",
        "订单 {order_id} 已于 {delivered} 由{carrier}送达，运单号 "
        "{tracking}。如果没有收到，请先看看快递柜或前台，再告诉我。",
    ),
    "closed": (
        "Order {order_id} is already {status}, so there is nothing left to do. Anything else?",
        "订单 {order_id} {status}，不能再次操作。请问还有其他需要吗？",
    ),
    "confirm": (
        "Order {order_id} can be refunded: {amount}. That is over our limit of {limit}, so please confirm: "
        "shall I refund it? (yes / no)",
        "订单 {order_id} 可以退款，金额 {amount}，超过 {limit}，需要您确认：现在为您退款吗？（是 / 否）",
    ),
    "eligible": (
        "Yes, order {order_id} can be returned until {last_day}; you would get {amount} back and return "
        "shipping costs {fee}. Shall I refund it now?",
        "可以的，订单 {order_id} 在 {last_day} 之前可以退货，"
        "退款 {amount}，退货运费 {fee}。需要现在为您退款吗？",
    ),
    "eligible_now": (
        "Order {order_id} has not been shipped, so it can "
        "be cancelled with {amount} back in full. Shall I do "
        "that now?",
        "订单 {order_id} 还没有发货，可以取消并全额退款 {amount}。需要现在为您退款吗？",
    ),
    "confirm_again": (
        "Shall I refund {amount} for order {order_id}? Please answer yes or no.",
        "请确认：现在为订单 {order_id} 退款 {amount}吗？（是 / 否）",
    ),
    "refunded": (
        "Your refund of {amount} for order {order_id} is done (refund {refund_id}). It goes back to your "
        "original payment within 3 to 5 working days.",
        "已为您退款 {amount}（订单 {order_id}，退款单号 {refund_id}），原路退回，3 到 5 个工作日到账。",
    ),
    "send_back": (
        " Please send the item back within 7 days; return shipping costs {fee}.",
        "请在 7 天内寄回商品，退货运费 {fee}。",
    ),
    "kept": (
        "All right, I have not refunded anything. Is there anything else?",
        "好的，没有退款。还有其他需要吗？",
    ),
    "too_late": (
        "Order {order_id} was delivered on {delivered} and could be returned until {last_day}; today is "
        "{today}, so it can not be refunded. If it is faulty, please tell me what is wrong with it.",
        "订单 {order_id} 于 {delivered} 签收，退货期到 {last_day} 为止，"
        "今天是 {today}，已经不能退款。如果有质量问题，请说明具体情况。",
    ),
    "final_sale": (
        "Order {order_id} is a fresh, custom-made or intimate item and can only be returned when it is "
        "faulty. If it is, please tell me what is wrong.",
        "订单 {order_id} 属于生鲜、定制或贴身商品，不支持无理由退货。如果有质量问题，请说明具体情况。",
    ),
    "on_the_way": (
        "Order {order_id} is on its way, so I can not refund it yet. Please refuse the parcel, or ask again "
        "once it has been delivered.",
        "订单 {order_id} 正在运输中，暂时不能退款。您可以拒收，或者签收后再申请。",
    ),
    "which_variant": (
        "Which one would you like instead? In stock for the {item}: {stock}.",
        "请问想换成哪一款？{item}目前有货的是：{stock}。",
    ),
    "no_stock": (
        "{wanted} of the {item} is out of stock. In stock: {stock}. Which one would you like?",
        "{item}的{wanted}没有库存，目前有货的是：{stock}。请问换哪一款？",
    ),
    "exchanged": (
        "Done: order {order_id} will be exchanged for {variant} (exchange {exchange_id}). "
        "Please send the old one back within 7 days.",
        "已为您登记换货：订单 {order_id} 换成{variant}，换货单号 {exchange_id}。请在 7 天内寄回原商品。",
    ),
    "no_other": (
        "There is no other colour or size of the {item} in stock. You can return it instead.",
        "{item}目前没有其他款式可换，您可以改为退货。",
    ),
    "exchange_late": (
        "Order {order_id} could be exchanged until {last_day}, so it can not be exchanged any more.",
        "订单 {order_id} 的换货期到 {last_day} 为止，已经不能换货。",
    ),
    "exchange_not": (
        "Order {order_id} can not be exchanged: it is {status}.",
        "订单 {order_id} 不能换货：{status}。",
    ),
    "which_address": (
        "Order {order_id} will be sent to {address}. Please send me the new address.",
        "订单 {order_id} 目前寄往：{address}。请告诉我新的收货地址。",
    ),
    "moved": (
        "Done: order {order_id} now goes to {address}, expected on {eta}.",
        "已为您修改：订单 {order_id} 将寄往{address}，预计 {eta} 送达。",
    ),
    "not_moved": (
        "Order {order_id} is {status}, so its address can not be changed any more. Please ask the carrier to "
        "redirect it.",
        "订单 {order_id} {status}，不能再修改地址。请联系承运快递改派。",
    ),
    "handed_over": (
        "I have passed you to a colleague, ticket {ticket}. "
        "They are there from 9:00 to 22:00 and will call you.",
        "已为您转接人工客服，工单号 {ticket}，人工客服 9:00 到 22:00 在线，会尽快联系您。",
    ),
}
_STATUS = {
    "processing": ("being prepared", "待发货"),
    "shipped": ("on its way", "运输中"),
    "delivered": ("delivered", "已签收"),
    "refunded": ("refunded", "已退款"),
    "cancelled": ("cancelled", "已取消"),
    "final_sale": ("a final sale", "属于不退换商品"),
}


def say(language: str, key: str, **values: object) -> str:
    """The text of `key` in the language, its places filled in."""
    return _TEXTS[key][language == "zh"].format(**values)


def status(language: str, word: str) -> str:
    return _STATUS[word][language == "zh"]


def money(currency: str, amount: float) -> str:
    return f"{amount:.2f} 元" if currency == "CNY" else f"${amount:.2f}"


def listed(language: str, things: list[str]) -> str:
    return ("、" if language == "zh" else ", ").join(things)
