import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.text.phrases import REFUSAL, STOCK, is_refusal, is_stock

REFUSALS = """
I'm sorry, but I can't help with that.
I'm unable to assist you with this request at the moment. Please contact support.
Unfortunately, I don't have that information.
As an AI assistant, I am not able to provide personal opinions.
Sorry, I can’t answer that question.
I apologize, but I cannot fulfill your request due to policy restrictions.
I'm afraid I can't do that.
Sorry, I didn't understand that. Could you rephrase?
I do not know.
I'm not able to discuss that topic.
I can't provide information about how to make weapons.
I'm sorry, something went wrong. Please try again later.
That is beyond the scope of what I can do.
很抱歉，我无法回答这个问题。
抱歉，该问题超出了我的能力范围。
对不起，我暂时无法为您提供相关帮助，请稍后再试。
非常抱歉，您的请求我无法处理。
作为AI语言模型，我不能提供医疗建议。
不好意思，这个我不太清楚。
抱歉，由于涉及隐私，我无法回答。
对不起，我帮不了您。
很抱歉，我没有理解您的意思，请您换个方式描述一下。
系统繁忙，请稍后重试。
抱歉呢亲，这边暂时没有相关信息哦
抱歉，这个问题我暂时回答不了
抱歉，没有找到相关信息。
很抱歉，我无法协助您处理这个问题。
您好，这边无法为您办理。
""".strip().splitlines()

STOCK_SENTENCES = """
We have received your request and will look into it as soon as possible.
I've noted your concern, and our team will review it shortly.
Thank you so much for contacting us today!
We truly appreciate your patience and understanding.
Our dedicated team will do its best to assist you.
Every situation is unique, so the answer may differ from person to person.
We strive to provide the best possible service to all our customers.
Please be assured that your concern has been noted.
I hope this helps!
Hope you have a wonderful day.
Is there something else I can do for you?
I hear you, and I'm sorry you're going through this.
Your inquiry matters to us and we will get back to you shortly.
Please allow us some time to look into this matter.
It depends on many different things.
Kindly wait while I look into this.
Feel free to ask if you need anything else.
亲爱的顾客，感谢您选择我们！
我们将竭诚为您服务。
您的意见对我们非常重要。
请您耐心等候，工作人员会尽快与您联系。
这要看具体情况呢。
建议您多方了解后再做决定。
给您造成的困扰我们深表歉意。
如有任何疑问，欢迎随时联系我们。
希望我的回答对您有帮助。
亲，您稍等哦，我这就帮您看看。
请稍等，我查一下。
请您稍等，我帮您查询一下订单信息
感谢您的理解与支持，祝您购物愉快！
我们会不断努力提升服务品质。
您的心情我们感同身受。
这个需要综合考虑多方面因素。
每个人的情况都不一样，建议您谨慎选择。
有什么可以帮到您的吗？
好的，我明白您的意思了。
""".strip().splitlines()

ANSWERS = """
I'm sorry, your order has already shipped, so the address cannot be changed.
Sorry, we do not ship to Canada.
I'm sorry, but basic economy tickets cannot be cancelled after 24 hours.
I could not find any reservation under that name.
Sorry for the delay. Your refund of $20 was sent yesterday.
I can't cancel the order because it is already at the courier.
I cannot process the refund without the original receipt.
Please send me the order number.
Could you please tell me your user ID?
Sure, I can help. What is your order number?
Paris.
No.
Yes, it is.
The museum is open on weekends.
You can return it at any store within a week.
Please check the battery first.
I am unable to change the passenger names on this booking.
抱歉，您的订单已签收，不能改地址。
很抱歉，这款商品不支持七天无理由退货。
抱歉，没有找到您的订单。
请提供一下您的订单号。
故宫周一闭馆。
您可以先断电再重启路由器。
是的，可以退。
不可以。
对不起，基础经济舱无法取消。
抱歉，亲，优惠券已经过期，无法使用。
北京。
有的，推荐您去全聚德。
您的退款正在银行处理，预计后天到账。
抱歉，门票已售罄，暂时无法预订。
请您在订单页面点击申请售后。
无法退款，因为商品已经拆封。
抱歉让您久等了，您的快递已到达上海。
这个景点需要提前预约。
""".strip().splitlines()


@pytest.mark.parametrize("text", REFUSALS)
def test_refusals_are_seen_and_are_stock(text: str) -> None:
    assert is_refusal(text)


@pytest.mark.parametrize("text", STOCK_SENTENCES)
def test_courtesy_is_stock_but_refuses_nothing(text: str) -> None:
    assert is_stock(text)
    assert not is_refusal(text)


@pytest.mark.parametrize("text", ANSWERS)
def test_an_answer_is_neither_even_if_it_begins_with_sorry(text: str) -> None:
    assert not is_stock(text)
    assert not is_refusal(text)


@pytest.mark.parametrize("refusal", ["I'm sorry, but I can't help with that.", "抱歉，我无法回答这个问题。"])
@pytest.mark.parametrize("answer", ["Your order ships on Monday.", "您的订单周一发货。", "运费12元。"])
def test_a_refusal_with_an_answer_beside_it_is_an_answer(refusal: str, answer: str) -> None:
    assert not is_refusal(refusal + answer)
    assert not is_refusal(answer + refusal)


def test_several_stock_sentences_are_stock_together() -> None:
    assert is_stock("您好，很高兴为您服务。祝您生活愉快，欢迎下次光临！")
    assert is_stock("Thank you for reaching out! Have a great day.")


def test_width_case_and_quotation_marks_do_not_matter() -> None:
    assert is_refusal("ＳＯＲＲＹ， I CAN’T HELP WITH THAT．")


@pytest.mark.parametrize("text", ["", "   ", "\u200b", "😀😀", "……", "42", "JD2024110800"])
def test_nothing_and_no_words_are_no_phrase(text: str) -> None:
    assert not is_refusal(text)
    assert not is_stock(text)


def test_no_phrase_is_empty() -> None:
    assert STOCK.fullmatch("") is None
    assert REFUSAL.fullmatch("") is None


@given(st.text(max_size=200))
def test_a_number_makes_any_text_say_something(text: str) -> None:
    assert not is_refusal(f"{text} 42")
    assert not is_stock(f"{text} 42")
