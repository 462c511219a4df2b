"""How customers put things: for each situation some ways of saying it, in both languages.

`{id}` is an order number, `{name}` the thing, `{want}` a variant, `{address}`, `{phone}` what they say.
"""

OPENINGS = {
    "zh": ["", "", "你好，", "您好，", "麻烦您，", "客服您好，", "请问在吗，", "帮个忙，"],
    "en": ["", "", "Hi, ", "Hello, ", "Good morning, ", "Hey there, ", "Excuse me, "],
}
ENDINGS = {
    "zh": ["", "", "", "，谢谢", "，麻烦了", "，急", "！", "～"],
    "en": ["", "", "", ", thanks", ", please", " - thank you!", " asap"],
}

SAYINGS = {
    "status": {
        "zh": [
            "查一下订单 {id} 的状态",
            "订单 {id} 现在是什么状态",
            "{id} 帮我查查订单情况",
            "看看 {id} 这个订单的状态",
        ],
        "en": ["what's the status of {id}", "could you check order {id}", "I need the order status of {id}"],
    },
    "contents": {
        "zh": ["{id} 我买了什么，多少钱", "订单 {id} 的详情发我一下", "{id} 这单一共多少钱，都有什么"],
        "en": [
            "what did I buy in {id} and how much was it",
            "send me the details of {id}",
            "how much was order {id} and what was in it",
        ],
    },
    "by_phone": {
        "zh": [
            "查一下我的订单，手机号 {phone}",
            "我忘了订单号，用手机号 {phone} 查下订单",
            "{phone} 名下有哪些订单信息",
        ],
        "en": [
            "look up my orders, my phone number is {phone}",
            "I lost the number, can you check my order by phone {phone}",
        ],
    },
    "unknown": {
        "zh": ["查订单 {id}", "{id} 的物流到哪了", "{id} 我要退款"],
        "en": ["look up {id}", "where is {id}", "I want a refund for {id}"],
    },
    "track": {
        "zh": ["{id} 到哪了", "查下 {id} 的物流", "{id} 的快递什么时候到", "我的包裹 {id} 现在在哪"],
        "en": [
            "where is {id}",
            "track {id} for me",
            "where's my parcel, order {id}",
            "when will {id} arrive",
        ],
    },
    "refund": {
        "zh": [
            "{id} 我要退款",
            "订单 {id} 申请退货退款",
            "{name}不想要了，{id}，帮我退款",
            "{id} 这个{name}不合适，要退货",
        ],
        "en": [
            "I want a refund for {id}",
            "please refund order {id}",
            "I'd like to return the {name}, {id}",
            "{id}: the {name} is not for me, money back",
        ],
    },
    "fault": {
        "zh": [
            "{id} 的{name}坏了，要退款",
            "{name}有质量问题，{id} 申请退款",
            "收到的{name}是破损的，订单 {id}，退货",
        ],
        "en": [
            "the {name} from {id} is broken, I want a refund",
            "{id} came damaged, refund",
            "my {name} is faulty, please refund {id}",
        ],
    },
    "can_return": {
        "zh": ["{id} 还能退货吗", "这单 {id} 可以退款吗", "{name}（{id}）能退吗"],
        "en": [
            "can I still return {id}",
            "is order {id} eligible for a return",
            "can I return the {name} from {id}",
        ],
    },
    "exchange": {
        "zh": ["{id} 换货，换成{want}", "{name}想换成{want}，订单 {id}", "帮我把 {id} 换成{want}"],
        "en": [
            "exchange {id} for {want}",
            "I'd like to swap the {name} in {id} for {want}",
            "please exchange my {name} {id} to {want}",
        ],
    },
    "exchange_open": {
        "zh": ["{id} 我想换货", "{name}想调换一下，{id}", "帮我换个款式，订单 {id}"],
        "en": [
            "I'd like to exchange {id}",
            "can you exchange the {name} from {id}",
            "I need a different size or colour for {id}",
        ],
    },
    "want": {
        "zh": ["{want}", "要{want}的", "换{want}吧"],
        "en": ["{want}", "the {want} please", "I'll take {want}"],
    },
    "address": {
        "zh": [
            "{id} 改地址，改成{address}",
            "帮我改下 {id} 的收货地址，寄到{address}",
            "{id} 更改地址，改到{address}",
        ],
        "en": [
            "change the address of {id} to {address}",
            "please change my delivery address for {id} to {address}",
        ],
    },
    "address_open": {
        "zh": ["{id} 我要改地址", "{id} 的收货地址写错了", "想修改 {id} 的地址"],
        "en": [
            "I need to change the address of {id}",
            "the address on {id} is wrong",
            "a different address for {id} please",
        ],
    },
    "refund_open": {
        "zh": ["我要退款", "想退货", "申请退款", "帮我退货"],
        "en": ["I want a refund", "I'd like to return something", "money back please"],
    },
    "give_id": {
        "zh": ["{id}", "订单号是 {id}", "{id} 这一单"],
        "en": ["{id}", "it's {id}", "the number is {id}"],
    },
    "yes": {
        "zh": ["是", "是的，退吧", "确认", "好的，确认退款"],
        "en": ["yes", "Yes, please do", "confirm", "sure, go ahead"],
    },
    "no": {
        "zh": ["算了，不退了", "不用了", "先不退"],
        "en": ["no", "never mind, I'll keep it", "No, leave it"],
    },
    "colloquial": {
        "zh": ["{id} 给我退了呗", "这{name}我不要了，{id}，整退了吧", "{id} 咋退啊，不想要了"],
        "en": [
            "wanna get rid of the {name}, {id}, gimme my dough back",
            "{id} - ship it back and get me my cash",
        ],
    },
    "lost_parcel": {
        "zh": ["{id} 咋还没到", "{id} 搁哪儿了", "{id} 走到哪旮沓了"],
        "en": ["what's the hold-up with {id}", "any news on {id}? still nothing here"],
    },
    "change_of_mind": {
        "zh": [
            "等等，还是帮我查下 {id} 的物流吧",
            "不退了，查一下 {id} 到哪了",
            "我说错了，是想问 {id} 的快递到哪了",
        ],
        "en": [
            "actually no, where is {id}",
            "scrap that, just track {id}",
            "sorry, I only want to know where {id} is",
        ],
    },
    "hurry": {
        "zh": ["{id} 直接退款，不用确认", "{id} 退款，不要再问我了，马上退"],
        "en": ["refund {id} now, no need to confirm", "refund {id} without asking me anything"],
    },
    "negation": {
        "zh": ["我不要退款，只想查 {id} 的物流", "先别退款，{id} 送到了没有"],
        "en": [
            "don't refund {id}, just tell me where it is",
            "I do not want my money back for {id}, where is it",
        ],
    },
    "both_questions": {
        "zh": [
            "退款多久到账，电子发票多久发我",
            "退货运费多少，满多少包邮",
            "客服几点下班，还有退款几天到账",
        ],
        "en": [
            "how long does a refund take and how fast do you send an invoice",
            "how much is the return shipping, and from what amount is there free shipping",
            "until what time are you there, and how long does a refund take",
        ],
    },
    "first_one": {
        "zh": ["第一个订单呢，预计哪天送达", "那头一单什么时候到"],
        "en": ["and when does the first one arrive", "when will the first order come"],
    },
    "human": {
        "zh": ["转人工", "我要投诉", "找个真人跟我说"],
        "en": ["let me talk to a human", "I want to complain", "get me a supervisor"],
    },
}

# What the answers to `both_questions` must hold, for (English, Chinese), in the order of the questions.
CLOSING = "22[:：]00|22 ?点|10 ?p\\.?m|晚上?十点"
BOTH = [([5, 24], [5, 24]), ([6, 49], [12, 99]), ([CLOSING, 5], [CLOSING, 5])]

SMALL_TALK = {
    "zh": "这几天特别忙，孩子刚开学，家里又在装修，东西到处堆着，"
    "快递都没来得及拆，昨天晚上好不容易才有时间打开看了看，",
    "en": "we have had such a busy week, the children were ill, "
    "the kitchen is being painted, half of our things are still "
    "in boxes in the hall, and it was only last night that I found a quiet moment to open the parcel, so ",
}
ADDRESSES = {
    "zh": [
        "深圳市南山区科苑路 8 号",
        "苏州市姑苏区平江路 77 号",
        "重庆市渝中区民生路 19 号",
        "青岛市市南区香港中路 40 号",
        "长沙市岳麓区麓山路 5 号",
    ],
    "en": [
        "12 Main Street, Boston",
        "408 Cedar Lane, Denver",
        "77 Harbor Road, Tacoma",
        "5 Elm Road, Evanston",
        "900 Congress Ave, Austin",
    ],
}
TOPICS = {
    "return": {
        "zh": ["几天内可以退货", "无理由退货政策是几天", "收到后多少天内能退"],
        "en": [
            "how many days do I have to return something",
            "what is your return policy in days",
            "how long is the return window",
        ],
        "holds": (7, 7),
    },
    "refund_time": {
        "zh": ["退款多久到账", "退款几天能到银行卡", "退到银行卡的钱什么时候到账"],
        "en": ["how long does a refund take", "when do I get my refund back on my card"],
        "holds": (5, 5),
    },
    "return_fee": {
        "zh": ["退货运费多少，谁出", "退货的邮费要承担多少", "退货运费要多少"],
        "en": [
            "how much is the return shipping",
            "what does it cost me to return an item",
            "is there a return fee, and how much",
        ],
        "holds": (6, 12),
    },
    "exchange": {
        "zh": ["多少天内可以换货", "换货政策是几天", "换货有几天时间"],
        "en": ["what is your exchange policy in days", "how long can I exchange an item"],
        "holds": (15, 15),
    },
    "shipping_fee": {
        "zh": ["满多少包邮", "多少钱可以免运费", "免邮费要满多少"],
        "en": ["from what amount is there free shipping", "what is the minimum for free shipping"],
        "holds": (49, 99),
    },
    "invoice": {
        "zh": ["电子发票多久发我", "申请发票几个小时能收到", "发票多长时间能到邮箱"],
        "en": ["how many hours until I get an invoice", "how fast do you send an invoice"],
        "holds": (24, 24),
    },
    "hours": {
        "zh": ["客服几点上班，几点下班", "人工客服在线时间到几点", "你们客服几点结束"],
        "en": ["what are your opening hours", "until when is somebody online, what time do you close"],
        "holds": (CLOSING, CLOSING),
    },
}
"""Questions about the rules of the shop, and the number or pattern of a right answer: (English, Chinese)."""
