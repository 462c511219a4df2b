"""What gives a next step, finds nothing, or asks for text that `useful` can not judge: patterns as data.

Written for text that is width-folded, simplified and in lower case, one clause or sentence at a time.
Broad on purpose: an open class (what may be done) is listed by kind of action, not by example.
All repetitions are bounded, so that no text can make them slow.
"""

import re


def _any(*groups: str) -> str:
    return "|".join("|".join(group.split()) for group in groups)


# Things that a person can be told to do, and then has done.
_DO = _any(
    "call dial phone ring email e-mail mail text message contact write",
    "click tap press select choose pick open close enter type scroll swipe hold log sign register scan",
    "go visit head drive walk take board arrive turn follow stop bring carry show present hand drop collect pick-up",
    "send submit upload attach fill complete return ship pack post print copy save back download install update upgrade",
    "reply respond confirm provide give share specify state list describe tell indicate",
    "check verify compare review read inspect test measure count look see find search note keep record",
    "restart reboot reset unplug plug switch disconnect connect reconnect remove replace insert clean clear charge enable "
    "disable uninstall reinstall delete set adjust move try run start use apply add put change edit modify cancel",
    "pay buy order book reserve reschedule rebook redeem claim request file dispute transfer deposit withdraw",
)
# What an agent asks the user to hand over or decide.
_GIVE = _any(
    "provide share give send confirm tell specify clarify verify state supply upload attach describe indicate enter "
    "check choose select pick list let forward include show reply try"
)
_LEAD = (
    r"(?:(?:please|kindly|then|next|first|firstly|second|secondly|finally|now|also|simply|just|to begin|and|or|so|instead|"
    r"otherwise|after that|once done|step \d|always|go ahead and|be sure to|make sure to|remember to|you should|you can(?: also)?|"
    r"you could|you may(?: also| want to| need to)?|you might(?: want to| need to)?|you must|you(?:'ll| will)(?: have to| need to)?|"
    r"you need to|you have to|you(?:'d| would) need to|you(?:'re| are) welcome to|i (?:recommend|suggest|advise)(?: that)?(?: you)?|"
    r"we (?:recommend|suggest|advise)(?: that)?(?: you)?|it(?:'s| is) best to|feel free to|try to|want to|need to)[,:]? +){0,4}"
)
_EMPTY_OBJECT = (
    r"(?: (?:us|me|our|the|a|an|your|support|customer|service|team|care|staff|agent|website|site|again|later|back|"
    r"anytime|at|any|time|for|more|further|details|information|help|assistance|questions?|with|if|you|have|need|is|"
    r"there|anything|else|know|so|that|i|we|can|assist|out|to|in|future|this|it|everything|all|options?|carefully|"
    r"into|from|on|own|patient|calm|note|mind|whenever|ready|everyone|always|here|shortly|soon)\b){0,14}[\s.!,:;-]*$"
)

# Nouns and labels that look like verbs (`Return: May 5`), and what one "can" without doing anything.
_NO_VERB = r"(?: \w{1,12})?\s*:| (?:id|number|date|time|price|type|details|method|status|summary|name)\b"
_HAVE = r"(?:take|carry|see|find|note|keep|record|look|bring|start|run)\b"
DIRECTIVE_EN = re.compile(
    rf"(?:^|[:;]\s)[\s\"'(*-]*{_LEAD}(?:{_DO})\b(?!{_NO_VERB}|{_EMPTY_OBJECT})|"
    rf"(?:^|[:;]\s)\s*(?:to|if|once|when|after|before|in order|for|on|in|at|from|until|with)\b[^,:;]{{3,80}},\s*{_LEAD}(?:{_DO})\b(?!{_NO_VERB}|{_EMPTY_OBJECT})|"
    rf"(?<!if )\b(?:you (?:can|could|may|should|must|need to|have to|'ll need to|will need to|might want to)|you'll (?:need|have) to) "
    rf"(?:also |then |now |first |simply |just |directly |still |always )?(?!{_HAVE})(?:{_DO})\b(?!{_EMPTY_OBJECT})|"
    rf"\b(?:please|to (?:proceed|continue|do this|do so),?|(?:recommend|suggest|advise)(?: that)?(?: you)?|(?:simply|just)) "
    rf"(?:also |then |now |first |simply |just |directly |still |always )?(?:{_DO})\b(?!{_EMPTY_OBJECT})|"
    rf"(?:recommend|suggest|advise) \w{{3,12}}ing\b|\blet's \w{{2,12}}\b(?!{_EMPTY_OBJECT})"
)
REQUEST_EN = re.compile(
    rf"\b(?:could|can|would|will|may|might) (?:you|i)(?: please| kindly| also)? (?:{_GIVE}|have|ask|get|know)\b(?!{_EMPTY_OBJECT})|"
    rf"\b(?:please|kindly)(?: also| first)? (?:{_GIVE})\b(?!{_EMPTY_OBJECT})|"
    rf"\b(?:i|we)(?:'ll| will|'d| would)?(?: also| still| just)? (?:need|require)(?: to (?:know|have|verify|confirm|check))? "
    rf"(?:you to|your|the|a few|some|more about|both|two|at least|one|either)\b|"
    rf"\bif you (?:can|could|would) (?:{_GIVE})\b(?!{_EMPTY_OBJECT})|"
    rf"\blet me know (?:which|what|how|when|where|who|whether|your|the|if you(?:'d| would)? (?:like|want|prefer|wish|agree) to)\b"
    rf"(?! (?:i|we) can (?:help|assist|do))|"
    rf"\b(?:do you (?:have|know|remember|recall) (?:your|the|any (?:other )?\w{{0,12}} ?(?:id|number|code|photo|receipt))|"
    rf"(?:what|when|where|which)(?:'s| is| are| was| were) (?:your|the)\b|"
    rf"(?:what|which|how many|how much|when|where) (?:\w{{1,15}} ){{0,4}}(?:would|do|did|are|will|should) you\b)"
)
OFFER_EN = re.compile(
    r"\b(?:would|do|did) you (?:like|want|prefer|wish|need me|agree|still want)\b|\b(?:shall|should|may) (?:i|we)\b|"
    r"\bif you(?:'d| would)?(?: \w{2,8})? (?:like|want|prefer|wish|agree|approve|are interested|confirm)\b|"
    r"\b(?:i|we) (?:can|could|will|'ll)(?: also| then| instead)? (?:book|arrange|send|issue|process|offer|cancel|change|upgrade|"
    r"transfer|refund|check|search|look up|set up|add|apply|place|proceed|reserve|exchange|replace|waive|file|open|create|email)\b|"
    r"\b(?:either|alternatively|another option)\b|\bdo you want\b|\b(?:is|are) (?:that|this|these|those|it) (?:ok|okay|acceptable|fine|correct)\b"
)
# What, ending in a question mark or not, offers nothing in particular.
EMPTY_EN = re.compile(
    r"\b(?:any(?:thing|one|where) (?:else|more|further)|any (?:\w{2,10} )?(?:questions?|concerns?|help|assistance)|further (?:assistance|help|"
    r"questions?)|(?:more|additional|need|require)(?: \w{2,10}){0,2} (?:help|assistance|support|questions?)|how (?:can|may|could) "
    r"(?:i|we) (?:help|assist|be)|what can (?:i|we) (?:do|help)|what else can|help you (?:today|with)?|hesitate|reach out|"
    r"rest assured|happy to (?:help|assist)|glad to (?:help|assist)|here to (?:help|assist)|"
    r"(?:bear|stay|hang|hold) (?:with|on|tuned|in)|be patient|take care|keep in mind|think (?:carefully|it over|about it)|"
    r"consider (?:carefully|all|your)|do your (?:own )?research|take your time|give (?:us|me) a|try not to|look forward|take comfort|"
    r"find (?:it|this|that|comfort)|keep (?:calm|going|smiling|it up|up)|trust)\b"
)
NEGATIVE_EN = re.compile(
    r"\b(?:there (?:is|are|was|were|will be) (?:no|not|currently no|only)|no longer|no \w{2,20}(?: \w{2,20}){0,3} "
    r"(?:is|are|was|were|available|found|match|matches|matched|exists?|left|on|in|at|for|with)|"
    r"(?:is|are|was|were|isn't|aren't|wasn't|weren't|has|have|had|does|do|did|doesn't|don't|didn't|hasn't|haven't|can|could|can't|"
    r"cannot|couldn't|won't|will)(?: not| no)? (?:\w{2,12} )?(?:available|found|find|offer|offered|include|included|allow|allowed|permit"
    r"|permitted|eligible|qualify|refundable|cover|covered|match|have|has|list|listed|exist|possible|enough|any|be "
    r"(?:changed|modified|cancell?ed|refunded|returned|shipped|delivered|used|applied|removed|transferred|combined|upgraded|"
    r"waived|made|booked))|unable to (?:find|locate|remove|change|modify|cancel|refund|book|match|verify|upgrade|apply|offer|"
    r"waive|search|see)|sold out|out of stock|fully booked|unavailable|ineligible|none of|nothing (?:in|on|at|under|between|below)"
    r"|not (?:available|included|allowed|possible|eligible|covered|in stock|on|yet|enough)|couldn't find|without)\b"
)

OUTCOME_EN = re.compile(
    r"\b(?:(?:has|have|was|were|is|are)(?: now| already| just)?(?: been)?(?: \w{4,14}ly)? (?:\w{3,14}ed|sent|made|paid|set|put|sold|booked)\b"
    r"|(?:i|we)(?:'ve| have)(?: now| already| just)?(?: \w{4,14}ly)? \w{3,14}ed\b|successfully \w{3,14}ed\b)"
)

# ---- Chinese -------------------------------------------------------------------------------------------
_ZH_DO = _any(
    "拨打 致电 打电话 来电 电联 联系 转接 发邮件 发送 发给 发到 发我 发短信 邮件 短信",
    "点击 点开 点选 点一下 打开 关闭 进入 登录 登陆 注册 输入 填写 填好 选择 选中 选好 勾选 切换 长按 按住 按下 滑动 扫码 扫描 扫一扫 搜索 刷新 返回",
    "前往 到达 去往 乘坐 搭乘 换乘 步行 驾车 打车 坐车 坐地铁 坐公交 下车 上车 直走 左转 右转 出站 进站 到店 到场 到前台 到柜台 入住 退房 续住",
    "携带 带上 带好 带着 出示 领取 取件 取票 取货 寄回 寄出 邮寄 退回 退货 换货 签收 拒收 打包 打印 复印 拍照 拍下 拍张 截图 录像",
    "提交 上传 提供 告知 告诉 说明 描述 补充 回复 确认 核对 核实 检查 查看 查询 查收 对照 测量 称重 试穿 留意短信 查验 查阅",
    "重启 重置 重新 断开 拔下 拔掉 插上 插入 连接 关机 开机 充电 更换 替换 清理 清洗 清除 卸载 安装 下载 更新 升级 开启 启用 禁用 设置 调整 调到 移除 删除",
    "支付 付款 缴费 充值 下单 购买 预订 预约 预定 订购 订票 改签 申请 办理 兑换 使用 修改 更改 取消 撤销 投诉 报修 报案 挂失 绑定 解绑 开具 参加 报名 尝试 先把 去看看 品尝",
)
_ZH_GO = r"(?:去|到|在|找|用|走|坐|选|订|买|换|看|打|按|带|取|填|交|写|试|尝|把|将|拿|点|关|开)"
_ZH_LEAD = (
    r"(?:请|先|再|然后|接着|最后|之后|随后|其次|首先|只需要?|只要|直接|可以|可|能|您|你|建议|推荐|需要|还需|须|应该?|要|务必|记得|不妨|试着|"
    r"尽快|尽早|立即|马上|同时|也|并|即可|及时|自行|麻烦|烦请|劳烦|还请|那|就|提前)"
)
# Where, when or with what: once at most, so that the pattern stays linear.
_ZH_WHERE = r"(?:(?:在|到|向|于|凭|通过|拿|持|用)[^，,。；]{1,14}?)?"
_ZH_VAGUE = (
    r"(?:联系|咨询|致电|询问|查看|查询|查阅|关注|参考|访问|前往|登录|浏览|留意)(?:我们|我|客服|人工|人工客服|官方|官网|相关|专业|当地|更多|后续|进一步|"
    r"最新|一下|部门|人员|人士|机构|渠道|平台|网站|信息|资讯|客服人员|工作人员|热线|的|医生|律师|或|和|了解|获取|帮助|通知|公告|消息|动态)*(?:吧|哦|呢|即可|就好|就可以)*[。！!，,~]*$"
)
DIRECTIVE_ZH = re.compile(
    rf"(?:^|[，,；;：:、。])\s*{_ZH_LEAD}{{0,5}}{_ZH_WHERE}(?:{_ZH_DO})|"
    rf"(?:请|建议|推荐|可以|您可|只需|需要您?|务必|记得|不妨|麻烦您?|必须|应当|需){_ZH_LEAD}{{0,4}}{_ZH_WHERE}(?:{_ZH_DO}|您?你?{_ZH_GO}(?!定|决|乎|于|底|意|法|心|来|看吗))|"
    rf"(?:{_ZH_DO})[^。！？，,]{{0,14}}(?:即可|就可以|就行|就好|便可)|"
    rf"(?:那|就|还是)?(?:您|你)?(?:就)?去\S{{2,24}}(?:吧|看看|玩|吃|住|用餐|游玩|入住)|推荐|建议(?:您|你)?(?:选|住|吃|玩|走|买|坐)"
)
REQUEST_ZH = re.compile(
    r"(?:请问|请告|麻烦|烦请|劳烦|请您?你?(?:先|再|务必|尽快|直接|把|将)?)(?:您|你)?\S{0,10}(?:提供|告诉|告知|发|说明|确认|补充|描述|上传|填写|回复|选择|核对|输入|出示|报)"
    r"|(?:能否|可否|方便|是否方便|可以|能不能|可不可以)(?:请|麻烦)?(?:您|你)?\S{0,6}(?:提供|告诉|告知|发|说明|确认|补充|描述|上传|报)\S"
    r"|(?:还|需|需要|想)(?:要|跟|和|向|请)?(?:您|你)(?:来|再)?(?:提供|确认|告诉|补充|核实|选择|填写|说明|决定)"
    r"|(?:您|你)(?:的)?\S{1,14}(?:是多少|是什么|是哪\S?|叫什么|在哪|号是)[？?呢吗]?"
    r"|(?:告诉|告知|提供|发给|报)(?:我|我们)?(?:一下)?(?:您|你)的|(?:您|你)(?:想|要|希望|打算|准备|倾向|更喜欢|喜欢|选)\S{0,10}(?:哪|什么|几|多少|谁|怎么|何时)"
)
OFFER_ZH = re.compile(
    r"(?:需要|要不要|是否需要|是否要|要|想|用不用|是否|可以|能)(?:我|我们|为您|帮您|给您|替您|帮你|给你|现在)\S{1,20}[吗么呢？?]|"
    r"(?:您|你)?(?:看|觉得|考虑|接受|满意|愿意|想去|介意|同意|喜欢)\S{0,12}(?:吗|么|怎么样|怎样|如何|行不|好不|不\s*[？?]|好吗|可以吗|行吗|呢|一下)|"
    r"(?:可以吗|行吗|好吗|行不|可以不|怎么样|如何|是不是|要不要\S{1,12})[？?呢啊]*$|还是\S{1,16}[？?呢]|"
    r"(?:我|我们)(?:可以|能|就|马上就?|这就|立即)(?:为|帮|给|替)(?:您|你)(?:预订|预约|下单|修改|更改|取消|办理|申请|安排|退款|换货|改签|升级|补发|寄|登记|转接|查询?\S)|"
    r"(?:或者|也可以|要么|可选|任选)|(?:如果|若|如)(?:您|你)?(?:同意|愿意|确认|接受|需要我)"
)
EMPTY_ZH = re.compile(
    r"还有(?:什么|其他|别的|啥)|(?:什么|啥)(?:可以|能|需要)?(?:帮|为您|给您)|其他(?:问题|需要|可以)|随时(?:联系|告诉|咨询|找|都)|欢迎|稍等|稍候|等待|"
    r"放心|谅解|理解|见谅|包涵|耐心|祝|谢谢|感谢|根据(?:自身|个人|实际|具体|您的|自己)|结合(?:自身|个人|实际|具体|您的|自己)|"
    r"(?:仔细|谨慎|慎重|综合|全面|理性|充分|多方)(?:考虑|了解|比较|权衡|选择|判断|决定|衡量|评估|对比)|考虑清楚|三思|自行(?:决定|判断|斟酌|考虑)|"
    r"保持(?:联系|关注|冷静|良好|积极|乐观)|(?:持续|继续|多多?|敬请)关注|顺其自然|调整(?:心态|情绪|好)|不要(?:着急|担心|紧张)|别(?:着急|担心)|多(?:加)?(?:注意|留意)"
)
NEGATIVE_ZH = re.compile(
    r"没有|没查|没找|没(?:这|那|有|能)|暂无|并无|均无|无(?=[\u4e00-\u9fff])|查不到|找不到|查无|未(?:查|找|能|含|提供|开|到|满|设|支持|包括)|"
    r"不(?:支持|包含|包括|提供|符合|含|能|可|在|是|满足|需要|收|允许|参与|接受|够|足|可以|行|适用|退|换|可退)|售罄|缺货|满房|订满|已满|停售|下架|只有|仅|无法"
)
# A negation in these clauses is about the speaker.
SPEAKER_ZH = re.compile(r"不好意思|不客气|不用谢|不便|不断|不懈|不知|对不起|不辜负|不仅|不错|不远|不贵")

NEGATIVE_SAME_ZH = re.compile(
    r"(?:没有|没|无|不含|不提供|不支持)(?:这个|这种|这样的?|此|该|这项|这道|这类|您要的|您说的|您问的)(?!问题|信息|办法|权限|能力|内容|请求|意思)([\u4e00-\u9fff]{1,4})"
)
OUTCOME_ZH = re.compile(
    r"(?:已经?|成功)(?:成功|为您|帮您|给您|替您|于|在|按|将|把|全部|都)?[^，。,；]{0,16}?(?:退|取消|修改|更改|改|预订|预定|下单|发货|发出|寄出|签收|到账|支付|提交|办理|办|开通|关闭|升级|"
    r"更新|安排|补发|换|转|完成|登记|添加|删除|确认|扣除|生效|派送|送达|预约|申请|开具|解除|绑定)"
)

# ---- What is not judged --------------------------------------------------------------------------------
REWRITE = re.compile(
    r"\b(?:translat(?:e|ion)|summari[sz]e|summary of|paraphrase|rewrite|rephrase|proofread|shorten|condense|tl;?dr|polish (?:this|the|my)|"
    r"correct (?:the |my )?grammar|fix (?:the |my )?grammar|bullet points? (?:of|from))\b|翻译|译成|译为|总结(?:一下|以下|下面|这|上|本|该|如下)|概括|摘要|改写|润色|缩写|扩写|校对|"
    r"精简(?:一下|这|以下)|提炼(?:一下|要点|以下)|改成\S{0,6}(?:语气|风格|口吻)"
)
CREATE = re.compile(
    r"\b(?:write|compose|draft|create|generate|invent|make up|come up with|brainstorm|imagine|tell me|give me)\b[^.?!]{0,40}\b(?:poem|story|stories|essay|song|"
    r"lyrics|haiku|limerick|joke|speech|blog|article|novel|script|slogan|tagline|cover letter|letter|email|tweet|post|caption|names?|ideas?|dialogue|riddle|toast|recipe)\b|"
    r"(?:写|创作|编|作|生成|起草|拟|讲|来)(?:一|个|首|篇|段|封|份|几|则|点|出|两|三|些|\d){0,4}\S{0,12}(?:诗|故事|作文|文章|歌|歌词|笑话|演讲|小说|剧本|文案|标语|口号|信|邮件|对联|散文|段子|祝福语|名字|朋友圈|推文|谜语|绝句)"
)
CODE_ASKED = re.compile(
    r"\b(?:write|implement|create|give me|generate|fix|debug|refactor|show me)\b[^.?!]{0,50}\b(?:code|function|script|program|class|regex|regular expression|query|sql|"
    r"python|javascript|java|c\+\+|html|css|unit tests?|bash|dockerfile|algorithm)\b|(?:写|实现|编写|生成|给出|调试|重构)\S{0,24}(?:代码|函数|程序|脚本|正则|sql|算法|类|接口|单元测试|页面)"
)
CODE_LINE = re.compile(
    r"^\s*(?:(?:def|class|import|from|return|if|for|while|else|elif|try|except|const|let|var|function|public|private|static|void|int|#include|select|insert|update|create|"
    r"package|using|fn|func|async|await|export)\b.*[:;{}()=]|[}\])]+;?|.*[;{}]|//.*|\S+\s*=\s*\S+.*\)?|<[/a-z][^>]*>.*)\s*$",
    re.IGNORECASE,
)
YES_NO = frozenset(
    "yes no yeah yep nope yup y n true false correct incorrect right wrong "
    "是 是的 否 不 不是 不是的 对 对的 不对 有 没有 有的 可以 不可以 能 不能 会 不会 行 不行 正确 错误 真 假 是呀 是啊 对啊 没".split()  # noqa: SIM905
)
