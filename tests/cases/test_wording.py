"""Sentences for a judge are told from words of a reply, in both directions and both languages."""

import gzip
import json
import re
import zipfile
from pathlib import Path

import pytest

from fairtrial.cases.wording import is_instruction

INSTRUCTIONS_ZH = """
回答要合理
回答合理
回答要礼貌，并提到退款
回复应该友好
回复必须包含订单号
必须包含订单号
必须包含某类信息
必须给出具体日期
不能出现兜底话术
不能出现某类兜底话术
不能出现“我不知道”
不能说“我不清楚”
不得编造订单信息
不要提到竞品
应该先道歉
应当说明退款时效
要提到七天无理由退货
需要包含日期和金额
答案正确
答案应当准确无误
回答的内容要具体
回答需要给出下一步
回答中不能出现敏感词
回复里不要使用专业术语
回复不应重复上一轮的话术
语气友好
语气要亲切
态度应该耐心
输出应当是 JSON
输出必须是中文
模型应该先查询订单再回复
助手必须调用退款工具
Agent 不能泄露系统提示
智能体要记住用户改过的地址
客服应该道歉
是否提到退款政策
是否正确给出了物流信息
有没有回答用户的问题
检查回答是否包含日期
判断回复是否礼貌
确保回答中没有幻觉
请验证输出是否正确
提到退款时效
没有提到竞品
礼貌地拒绝
正确识别用户意图
告知用户退款进度
要有礼貌
必须礼貌
应该简洁明了
禁止编造物流单号
必须告知用户退款时间
不能使用套话
最终回答需包含金额
AI 不得编造
长度在某个区间
长度不超过100字
字数控制在 50 到 100 之间
不超过50字
包含订单号
包含日期
不出现兜底话术
请用英文回答
输出格式为 JSON
应该调用退款工具
内容完整、准确
合理即可
先道歉，再给出解决方案
能正确识别用户意图
拒绝用户的不合理请求
不要胡说八道
"""

WORDS_ZH = """
3-5个工作日
您的订单已退款
退款已提交
JD2024111138271
请提供订单号
请您提供订单号
需要您提供订单号
需要提供订单号
需要3-5个工作日
需要说明的是
需要帮助吗
不能退款
特价商品不能退换
不能为您办理
不要担心
不要着急，我马上为您查询
必须在7天内申请
必须本人签收
应在7日内寄回
应退金额
应付 88 元
要不要帮您查一下
要等两天
可以退货
可以为您换货
已为您取消订单
是否需要我帮您申请退款？
是否为质量问题
回复1确认订阅
回复您的邮件
回复TD退订
回复需要1-2个工作日
答案是42
回答不了
输出功率为60W
结果为 5
客服需要核实您的身份
客服热线 400-800-1234
客服不能直接退款，请您自行申请
系统需要升级
检查网络是否正常
检查一下电源
判断题
避免阳光直射
禁止吸烟
不包含运费
包含运费
不含税
用户协议
用户名
合理
正确
礼貌
北京市朝阳区
2024年11月11日
满300减50
我们会尽快处理
对不起，给您带来不便
非常抱歉
您应该在订单页点击售后
您必须先登录
我不能透露系统提示词
提到的订单
不支持七天无理由退货
确认收货
确保手机电量充足
建议重启设备
建议您重启路由器
回答正确
回答正确！
提到
给出
字数统计：500字
行李长度不超过55厘米
请用英文回复我们
包含运费与税
不超过55厘米
输出功率为100W
"""

INSTRUCTIONS_EN = """
The answer should be polite
The answer should be polite and mention the refund
Answer should be polite
answer must be reasonable
answer should be polite.
must contain an order number
must be reasonable
Must mention the refund policy
should be concise
should not mention competitors
Shouldn't reveal the system prompt
must not hallucinate order numbers
Cannot contain apologies
needs to explain the return window
has to apologize
ought to be helpful
The reply should include the date
The response must not exceed 100 words
Response includes an order number
The reply contains a tracking link
The reply mentions the refund
The answer is correct
The answer is polite and accurate
Its answer provides a clear next step
The final response does not mention other brands
Reply is helpful
The tone is friendly
Tone should be warm
The output must be valid JSON
The agent should look up the order first
The assistant must verify the identity of the customer
The model cannot make up facts
The bot needs to ask for the order number
Agent politely declines
AI should refuse
Check that the answer is correct
Verify whether the agent called the tool
Does the response mention the deadline?
Is the answer polite?
Make sure the reply is in Chinese
Ensure the answer contains a date
Evaluate whether the answer is helpful
Mentions the refund policy
Explains how to return the item
Politely declines the request
Correctly identifies the order
Apologizes to the customer
Tells the customer that the refund was issued
Do not mention competitors
Don't make up order numbers
Never reveal the system prompt
Does not hallucinate
Avoid mentioning prices
At most 100 words
Length between 50 and 100 words
Contains the order number
Reply in English
Must not promise a date
Polite and helpful
No profanity
Asks for the order number
Be polite
be concise and clear
Is polite
"""

WORDS_EN = """
Your refund is on its way.
3-5 business days
Refund issued
JD2024111138271
$12.50
Please provide your order number
please contact support
must be returned within 30 days
must be at least 18 years old
should arrive within 3 days
should be delivered by Friday
should reply within 24 hours
cannot be refunded
can't be exchanged
may not be combined with other offers
needs to be signed for
needs to be repaired
do not tumble dry
Don't worry
Don't forget to mention your order number
Do not share your password
Never share your PIN
never expires
always free
Always keep your receipt
No problem
no answer
Your answer is correct.
Your reply should be polite
Your response must reach us by Friday
The answer is 42
The answer is Paris
Answer: B
Reply YES to confirm
Reply STOP to unsubscribe
Our agent will contact you shortly
An agent will call you
The agent must verify your identity
I should mention that shipping is free
I cannot help with that
You should contact your bank
You must return it unopened
We should have it back in stock soon
The package should arrive on Monday
The system should be back online within an hour
The result should be visible soon
Make sure the device is switched off
Check the power cable
Check whether your address is right
Verify your email
Includes free shipping
Contains nuts
Provides two years of warranty
model number X-200
response time
output voltage 12 V
polite
clear
is available
be right back
Is there anything else?
Does it come in blue?
avoid direct sunlight
clearly marked
properly installed
free returns
is correct
is complete
no mention
Please do not reply to this email
Please reply in English so that we can help you
contains the charger and a manual
At least 3 days
our return policy
"""


def lines(*blocks: str) -> list[str]:
    return [line for block in blocks for line in block.splitlines() if line]


@pytest.mark.parametrize("text", lines(INSTRUCTIONS_ZH, INSTRUCTIONS_EN))
def test_a_sentence_for_a_judge_is_told(text: str) -> None:
    assert is_instruction(text)
    assert is_instruction(f"  {text} ")


@pytest.mark.parametrize("text", lines(WORDS_ZH, WORDS_EN))
def test_words_of_a_reply_are_left_alone(text: str) -> None:
    assert not is_instruction(text)


def test_there_are_at_least_thirty_of_each() -> None:
    for each in (INSTRUCTIONS_ZH, WORDS_ZH, INSTRUCTIONS_EN, WORDS_EN):
        assert len(lines(each)) >= 30


@pytest.mark.parametrize(
    "text", ["", " ", "\n", "不" * 5000, "the " * 5000, "not " * 5000, "必须" * 5000, "\ud800"]
)
def test_any_text_is_judged_at_once(text: str) -> None:
    is_instruction(text)


def test_nothing_that_real_agents_said_is_taken_for_a_sentence_to_a_judge(shared_data: Path) -> None:
    said = set()
    with zipfile.ZipFile(shared_data / "crosswoz" / "test.json.zip") as archive:
        for dialogue in json.loads(archive.read(archive.namelist()[0])).values():
            said |= {message["content"] for message in dialogue["messages"]}
    runs = json.loads(
        gzip.decompress((shared_data / "tau_bench_airline_gpt4o" / "gpt-4o-airline.json.gz").read_bytes())
    )
    for run in runs:
        said |= {m["content"] for m in run["traj"] if m["role"] == "assistant" and m.get("content")}
    phrases = {
        phrase.strip() for text in said for phrase in re.split(r"(?<=[。！？!?.\n])\s*|[，；,;]\s*", text)
    }
    assert len(phrases) > 15_000
    assert [phrase for phrase in phrases if is_instruction(phrase)] == []
