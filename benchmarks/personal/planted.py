"""Texts with personal details in known places: templates × kinds × written forms, in both languages."""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
_SLOT = re.compile(r"\{(\w+)\}")
_ZH_DIGITS = str.maketrans("0123456789", "零一二三四五六七八九")
_YAO = str.maketrans("0123456789", "零幺二三四五六七八九")
_WIDE = str.maketrans("0123456789", "０１２３４５６７８９")


@dataclass(frozen=True, kw_only=True)
class Planted:
    """A text and its details: (start, end, kind)."""

    language: str
    text: str
    details: tuple[tuple[int, int, str], ...]


def planted(part: str, *, each: int, seed: int) -> Iterator[Planted]:
    """Every template of the part, a file, filled `each` times; those without a slot once.

    `- ` begins a text without details, `+ ` one with those behind ` | `.
    """
    rng = random.Random(f"{part}:{seed}")
    language = ""
    for line in (HERE / f"{part}.txt").read_text("utf-8").splitlines():
        if line.startswith("= "):
            language = line[2:]
        elif line.startswith("+ "):
            text, _, details = line[2:].rpartition(" | ")
            places = [(text.index(one), text.index(one) + len(one), "detail") for one in details.split("; ")]
            yield Planted(language=language, text=text, details=tuple(places))
        elif line.startswith("- "):
            yield Planted(language=language, text=line[2:], details=())
        elif not line.startswith("#"):
            for _ in range(each):
                yield _filled(line, language, rng)


def _filled(template: str, language: str, rng: random.Random) -> Planted:
    text, details, start = "", [], 0
    for slot in _SLOT.finditer(template):
        text += template[start : slot.start()]
        value = _MAKERS[language][slot[1]](rng)
        before, _, rest = value.rpartition("<")  # what stands outside <> is not the person's
        core, _, after = rest.partition(">")
        text += before
        details.append((len(text), len(text) + len(core), slot[1]))
        text, start = text + core + after, slot.end()
    return Planted(language=language, text=text + template[start:], details=tuple(details))


def _digits(rng: random.Random, count: int) -> str:
    return str(rng.randint(1, 9)) + "".join(str(rng.randint(0, 9)) for _ in range(count - 1))


def _letters(rng: random.Random, count: int) -> str:
    return "".join(rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(count))


def _order(rng: random.Random) -> str:
    number = _digits(rng, rng.choice((13, 15, 18)))
    forms = (
        f"JD{_digits(rng, 13)}",
        number,
        number.translate(_WIDE),
        f"{number[:4]} {number[4:8]} {number[8:]}",
        f"DD-{_digits(rng, 4)}-{_digits(rng, 6)}",
        f"EC{_digits(rng, 10)}",
        f"{_letters(rng, 2)}{_digits(rng, 4)}{_letters(rng, 2)}{_digits(rng, 3)}",
        f"114-{_digits(rng, 7)}-{_digits(rng, 7)}",
    )
    return rng.choice(forms)


def _tracking(rng: random.Random) -> str:
    forms = (
        f"SF{_digits(rng, 13)}",
        f"YT{_digits(rng, 15)}",
        f"7{_digits(rng, 13)}",
        f"1Z{_letters(rng, 3)}{_digits(rng, 13)}",
        f"{_letters(rng, 2)}{_digits(rng, 9)}CN",
    )
    return rng.choice(forms)


def _ticket(rng: random.Random) -> str:
    return rng.choice(
        (f"GD{_digits(rng, 8)}", _digits(rng, 8), f"CS-{_digits(rng, 6)}", f"T{_digits(rng, 7)}")
    )


def _mobile(rng: random.Random) -> str:
    number = rng.choice(("138", "139", "150", "177", "186", "199", "165")) + _digits(rng, 8)
    a, b, c = number[:3], number[3:7], number[7:]
    forms = (
        number,
        f"{a} {b} {c}",
        f"{a}-{b}-{c}",
        number.translate(_WIDE),
        f"+86 {number}",
        f"86{number}",
        f"{number[:5]} {number[5:]}",
        number.translate(_ZH_DIGITS),
        number.translate(_YAO),
        f"{a} {b} {c}".translate(_ZH_DIGITS),
        f"{a}，{b}，{c}".translate(_YAO),
        f"(+86){number}",
    )
    return rng.choice(forms)


def _landline(rng: random.Random) -> str:
    area = rng.choice(("010", "021", "0571", "0755", "028"))
    number = _digits(rng, 7 if len(area) == 4 else 8)
    forms = (
        f"{area}-{number}",
        f"({area}){number}",
        f"{area} {number}",
        f"（{area}）{number}",
        f"{area}{number}",
    )
    return rng.choice(forms)


def _phone(rng: random.Random) -> str:
    area = rng.choice(("415", "212", "312", "206", "617", "512"))
    a, b = "2" + _digits(rng, 2), _digits(rng, 4)
    forms = (
        f"({area}) {a}-{b}",
        f"{area}-{a}-{b}",
        f"{area}.{a}.{b}",
        f"+1 {area} {a} {b}",
        f"{area} {a} {b}",
        f"{area}{a}{b}",
        f"1-{area}-{a}-{b}",
        f"+44 7{_digits(rng, 3)} {_digits(rng, 6)}",
        f"+44 20 7{_digits(rng, 3)} {_digits(rng, 4)}",
        f"({area}){a}-{b}",
    )
    return rng.choice(forms)


def _email(rng: random.Random) -> str:
    user = rng.choice(
        ("zhang.wei", "lihua88", "j_smith", "maria.lopez", "kt2001", _digits(rng, 9), "o'neil-b", "a+shop")
    )
    host = rng.choice(("qq.com", "163.com", "gmail.com", "outlook.com", "corp.example.co.uk", "foxmail.com"))
    return rng.choice((f"{user}@{host}", f"{user.upper()}@{host}", f"{user} @ {host}", f"{user}＠{host}"))


_ZH_SURNAMES = "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕"
_ZH_GIVEN = (
    "伟",
    "芳",
    "秀英",
    "敏",
    "静",
    "丽",
    "强",
    "磊",
    "军",
    "洋",
    "艳",
    "勇",
    "志强",
    "建国",
    "子涵",
    "雨桐",
    "浩然",
    "欣怡",
    "晓东",
    "海燕",
    "文博",
    "若曦",
    "佳琪",
    "一鸣",
    "思远",
    "雅婷",
)


def _zh_name(rng: random.Random) -> str:
    if rng.random() < 0.08:
        return rng.choice(("欧阳", "司马", "上官", "诸葛")) + rng.choice(_ZH_GIVEN)
    if rng.random() < 0.05:
        return rng.choice(("阿依古丽·买买提", "Lily", "陈 晓 东", "Kevin Zhang"))
    return rng.choice(_ZH_SURNAMES) + rng.choice(_ZH_GIVEN)


def _zh_title(rng: random.Random) -> str:
    who = rng.choice((rng.choice(_ZH_SURNAMES), _zh_name(rng)))
    return f"<{who}>" + rng.choice(("先生", "女士", "小姐", "经理", "师傅"))


_FIRST = (
    "James",
    "Mary",
    "Robert",
    "Linda",
    "Priya",
    "Wei",
    "Carlos",
    "Aisha",
    "Emily",
    "Daniel",
    "Sofia",
    "Liam",
    "Olga",
    "Kenji",
    "Rebecca",
    "Tom",
    "Siobhan",
    "Jean-Luc",
)
_LAST = (
    "Smith",
    "Johnson",
    "Garcia",
    "Nguyen",
    "O'Brien",
    "Patel",
    "Kowalski",
    "Chen",
    "Müller",
    "Okafor",
    "Taylor",
    "van Dyke",
    "Rossi",
    "MacDonald",
)


def _en_name(rng: random.Random) -> str:
    first, last = rng.choice(_FIRST), rng.choice(_LAST)
    return rng.choice((f"{first} {last}", f"{first} {last}", first, f"{first} {_letters(rng, 1)}. {last}"))


def _en_title(rng: random.Random) -> str:
    title, last = rng.choice(("Mr", "Mrs", "Ms", "Dr", "Miss", "Mr.", "Ms.")), rng.choice(_LAST)
    return f"{title} <{last}>"


_ZH_PLACES = (
    ("北京市", "朝阳区"),
    ("浙江省杭州市", "西湖区"),
    ("广东省深圳市", "南山区"),
    ("上海市", "浦东新区"),
    ("江苏省苏州市", "吴中区"),
    ("四川省成都市", "武侯区"),
    ("山东省青岛市", "市南区"),
    ("湖南省长沙市", "岳麓区"),
)
_ZH_ROADS = (
    "文三路",
    "建国路",
    "人民南路",
    "中山大道",
    "解放街",
    "幸福胡同",
    "科技园路",
    "滨江大道",
    "学院路",
)
_ZH_YARDS = ("阳光小区", "翠湖花园", "万科城", "金地公寓", "紫荆苑", "华星大厦")


def _zh_address(rng: random.Random) -> str:
    city, district = rng.choice(_ZH_PLACES)
    road, yard = rng.choice(_ZH_ROADS), rng.choice(_ZH_YARDS)
    number, block, room = rng.randint(1, 999), rng.randint(1, 30), rng.randint(101, 2904)
    forms = (
        f"{city}{district}{road}{number}号",
        f"{city}{district}{road}{number}号{yard}{block}栋{room}室",
        f"{city} {district} {road} {number} 号 {yard} {block} 幢 {room} 室",
        f"{district}{road}{number}号院{block}号楼{block}单元{room}",
        f"{yard}{block}号楼{block}单元{room}室",
        f"{road}{number}弄{block}号{room}",
        f"{city.removesuffix('市')}{district}{yard}{block}座{room}",
        f"{city}{district}平安镇李家村{block}组{number}号",
        f"{road}{number}号".translate(_WIDE),
    )
    return rng.choice(forms)


_STREETS = (
    "Maple Street",
    "Oak Ave",
    "5th Avenue",
    "Sunset Blvd",
    "Elm St.",
    "King's Road",
    "Pine Lane",
    "Lakeview Drive",
    "Mill Court",
    "Park Way",
    "E 42nd St",
    "Old Mill Rd",
)
_TOWNS = ("Springfield, IL", "Austin, TX", "Portland, OR", "San Jose, CA", "Brooklyn, NY", "Salem, MA")


def _en_address(rng: random.Random) -> str:
    number, street, town = rng.randint(1, 9999), rng.choice(_STREETS), rng.choice(_TOWNS)
    flat = rng.choice(
        (
            f"Apt {rng.randint(1, 99)}{_letters(rng, 1)}",
            f"Suite {rng.randint(100, 999)}",
            f"#{rng.randint(1, 99)}",
        )
    )
    zipped = f"{town} {_digits(rng, 5)}"
    forms = (
        f"{number} {street}",
        f"{number} {street}, {zipped}",
        f"{number} {street}, {flat}, {zipped}",
        f"{number} {street} {flat}, {town}",
        f"{number} {street}, {zipped}-{_digits(rng, 4)}",
        f"{number} {street.lower()}",
        f"Flat {rng.randint(1, 40)}, {number} {street}, London SW{rng.randint(1, 9)}A {rng.randint(1, 9)}AA",
    )
    return rng.choice(forms)


def _po_box(rng: random.Random) -> str:
    return rng.choice(
        (f"PO Box {_digits(rng, 4)}", f"P.O. Box {_digits(rng, 3)}, {rng.choice(_TOWNS)} {_digits(rng, 5)}")
    )


_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def _zh_date(rng: random.Random) -> str:
    y, m, d = rng.randint(2022, 2025), rng.randint(1, 12), rng.randint(1, 28)
    forms = (
        f"{y}年{m}月{d}日",
        f"{y}-{m:02}-{d:02}",
        f"{y}/{m}/{d}",
        f"{y}.{m:02}.{d:02}",
        f"{m}月{d}号",
        f"{m}月{d}日",
        f"{y} 年 {m} 月 {d} 日",
        f"{m}月{d}号".translate(_WIDE),
        f"{_zh_count(m)}月{_zh_count(d)}号",
        f"{y}{m:02}{d:02}",
    )
    return rng.choice(forms)


def _zh_count(n: int) -> str:
    tens, ones = divmod(n, 10)
    digits = "零一二三四五六七八九"
    return ("" if not tens else "十" if tens == 1 else digits[tens] + "十") + (digits[ones] if ones else "")


def _en_date(rng: random.Random) -> str:
    y, m, d = rng.randint(2022, 2025), rng.randint(1, 12), rng.randint(1, 28)
    month = _MONTHS[m - 1]
    end = "th" if 10 < d < 20 else {1: "st", 2: "nd", 3: "rd"}.get(d % 10, "th")
    forms = (
        f"{month} {d}, {y}",
        f"{month[:3]} {d}",
        f"{d} {month} {y}",
        f"{y}-{m:02}-{d:02}",
        f"{m:02}/{d:02}/{y}",
        f"{month} {d}{end}",
        f"the {d}{end} of {month}",
        f"{m}/{d}/{y % 100}",
        f"{d}.{m}.{y}",
        f"{d}-{month[:3]}-{y}",
    )
    return rng.choice(forms)


def _odd_minute(rng: random.Random) -> int:
    return rng.choice([minute for minute in range(1, 60) if minute % 5])


def _zh_moment(rng: random.Random) -> str:
    y, m, d, h, n = (
        rng.randint(2022, 2025),
        rng.randint(1, 12),
        rng.randint(1, 28),
        rng.randint(8, 21),
        _odd_minute(rng),
    )
    forms = (
        f"{y}-{m:02}-{d:02} {h:02}:{n:02}:{rng.randint(0, 59):02}",
        f"{y}年{m}月{d}日{h}点{n}分",
        f"{m}月{d}日 {h}:{n:02}",
        f"{h}:{n:02}",
        f"下午{h % 12 or 12}点{n}分",
        f"{y}-{m:02}-{d:02}T{h:02}:{n:02}",
    )
    return rng.choice(forms)


def _en_moment(rng: random.Random) -> str:
    y, m, d, h, n = (
        rng.randint(2022, 2025),
        rng.randint(1, 12),
        rng.randint(1, 28),
        rng.randint(8, 21),
        _odd_minute(rng),
    )
    half = f"{h % 12 or 12}:{n:02} {'am' if h < 12 else 'PM'}"
    forms = (
        f"{y}-{m:02}-{d:02} {h:02}:{n:02}:{rng.randint(0, 59):02}",
        f"{_MONTHS[m - 1]} {d}, {y}, {half}",
        half,
        f"{h:02}:{n:02}",
        f"{m}/{d}/{y} {half}",
        f"{y}-{m:02}-{d:02}T{h:02}:{n:02}:{rng.randint(0, 59):02}Z",
    )
    return rng.choice(forms)


def _id_card(rng: random.Random) -> str:
    born = f"{rng.randint(1960, 2005)}{rng.randint(1, 12):02}{rng.randint(1, 28):02}"
    head = f"{rng.choice(('110105', '330106', '440305'))}{born}{rng.randint(0, 999):03}"
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    number = head + "10X98765432"[sum(int(c) * w for c, w in zip(head, weights, strict=True)) % 11]
    return rng.choice(
        (number, number.lower(), f"{number[:6]} {number[6:14]} {number[14:]}", number.translate(_WIDE))
    )


def _card(rng: random.Random) -> str:
    head = rng.choice(("62220", "4", "5", "621700")) + _digits(rng, 10)
    head = head[:15] if head[0] in "45" else head.ljust(18, "7")[:18]
    head = head.ljust(15, "3")
    total = sum(sum(divmod(int(c) * (2 if i % 2 == 0 else 1), 10)) for i, c in enumerate(reversed(head)))
    number = head + str(-total % 10)
    fours = re.sub(r"(.{4})(?=.)", r"\1 ", number)
    return rng.choice((number, fours, fours.replace(" ", "-")))


def _zh_plate(rng: random.Random) -> str:
    place = rng.choice("京沪粤浙苏川鲁湘") + _letters(rng, 1)
    return rng.choice(
        (
            f"{place}{_digits(rng, 5)}",
            f"{place}·{_digits(rng, 4)}{_letters(rng, 1)}",
            f"{place}D{_digits(rng, 5)}",
        )
    )


def _ip(rng: random.Random) -> str:
    four = ".".join(str(rng.randint(1, 254)) for _ in range(4))
    return rng.choice((four, four, f"2001:db8:{rng.randint(1, 9999)}::{rng.randint(1, 9999)}"))


def _url(rng: random.Random) -> str:
    forms = (
        f"https://shop.example-mall.com/user/{_digits(rng, 6)}",
        f"https://weibo.com/u/{_digits(rng, 10)}",
        f"http://item.mall-site.cn/detail?uid={_digits(rng, 8)}&from=share",
        f"https://social.site/@{rng.choice(('maria_l', 'zhangsan88', 'kev-in'))}",
        f"https://mall-site.com/orders/{_digits(rng, 12)}",
    )
    return rng.choice(forms)


def _username(rng: random.Random) -> str:
    return rng.choice(
        ("zhangsan_88", "lily2019", "coolguy.tom", "kev-in42", "MariaL", "xiaoming666", f"u{_digits(rng, 6)}")
    )


def _passport(rng: random.Random) -> str:
    return rng.choice((f"E{_digits(rng, 8)}", f"{_letters(rng, 2)}{_digits(rng, 7)}"))


def _tail(rng: random.Random) -> str:
    return _digits(rng, 4)


_BOTH: dict[str, Callable[[random.Random], str]] = {
    "order": _order,
    "tracking": _tracking,
    "ticket": _ticket,
    "email": _email,
    "card": _card,
    "ip": _ip,
    "url": _url,
    "username": _username,
    "passport": _passport,
    "tail": _tail,
}
_MAKERS = {
    "zh": _BOTH
    | {
        "mobile": _mobile,
        "landline": _landline,
        "name": _zh_name,
        "name_title": _zh_title,
        "address": _zh_address,
        "date": _zh_date,
        "moment": _zh_moment,
        "id_card": _id_card,
        "plate": _zh_plate,
        "wechat": lambda rng: rng.choice(
            (f"wxid_{_digits(rng, 8)}", "zhangsan_88", f"lily-{_digits(rng, 4)}", "Kk20010203")
        ),
        "qq": lambda rng: _digits(rng, rng.choice((6, 8, 9, 10))),
    },
    "en": _BOTH
    | {
        "phone": _phone,
        "name": _en_name,
        "name_title": _en_title,
        "address": _en_address,
        "po_box": _po_box,
        "date": _en_date,
        "moment": _en_moment,
        "ssn": lambda rng: f"{rng.randint(100, 665)}-{rng.randint(10, 99)}-{_digits(rng, 4)}",
        "plate": lambda rng: rng.choice(
            (
                f"{rng.randint(1, 9)}{_letters(rng, 3)}{_digits(rng, 3)}",
                f"{_letters(rng, 3)}-{_digits(rng, 4)}",
            )
        ),
    },
}
