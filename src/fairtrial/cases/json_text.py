"""JSON as it is written in case sets: strictly, and with an eye on what the standard reader lets pass."""

import json
import math
import re
from typing import Any

from fairtrial.cases.positions import depth_offset
from fairtrial.cases.problems import Malformed
from fairtrial.cases.values import MAX_DEPTH, too_deep
from fairtrial.text.language import say

_ZH = {
    "Expecting value": "此处应有一个值",
    "Expecting ',' delimiter": "此处缺少逗号",
    "Expecting ':' delimiter": "此处缺少冒号",
    "Expecting property name enclosed in double quotes": "此处应为双引号括起的字段名",
    "Illegal trailing comma before end of object": "对象末尾有多余的逗号",
    "Illegal trailing comma before end of array": "列表末尾有多余的逗号",
    "Unterminated string starting at": "字符串没有结束",
    "Invalid control character at": "字符串中有控制字符（换行请写 \\n）",
    "Invalid \\escape": "无效的 \\ 转义",
    "Invalid \\uXXXX escape": "无效的 \\uXXXX 转义",
    "Extra data": "后面有多余的内容",
}


class JsonReader:
    """Reads JSON texts and remembers whether any of them has a doubled field or an odd number.

    `doubles`: a field stands twice in one object. `odd`: NaN, an infinity, or a lone surrogate may be
    among the values. Both are told so that the places are looked for only when there is need.
    """

    def __init__(self) -> None:
        self.doubles = self.odd = False
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_constant=self._constant, parse_float=self._float
        )

    def read(self, text: str) -> Any:
        """The value of the text. Raises Malformed."""
        self.odd = self.odd or bool(_SURROGATE.search(text))
        try:
            return self._decoder.decode(text)
        except json.JSONDecodeError as error:
            raise Malformed(error.pos, *_syntax(error)) from None
        except RecursionError:
            raise Malformed(depth_offset(text, MAX_DEPTH), *too_deep()) from None
        except ValueError:
            long = _LONG_NUMBER.search(text)
            raise Malformed(
                long.start() if long else None, say("a number of thousands of digits", "数字长达数千位")
            ) from None

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            self.doubles = True
        return found

    def _constant(self, name: str) -> float:
        self.odd = True
        return float(name)

    def _float(self, digits: str) -> float:
        value = float(digits)
        if math.isinf(value):
            self.odd = True
        return value


_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_LONG_NUMBER = re.compile(r"\d{4000,}")


def _syntax(error: json.JSONDecodeError) -> tuple[str, str]:
    what = say(f"not valid JSON: {error.msg}", f"JSON 语法错误：{_ZH.get(error.msg, error.msg)}")
    how = ""
    if error.msg == "Extra data":
        how = say(
            "one object a line is JSONL: name the file .jsonl; several cases in .json are a list [ … ]",
            "若每行一个对象，请将文件命名为 .jsonl；.json 中的多个用例须放在列表 [ … ] 里",
        )
    elif error.msg.startswith("Expecting property name") or error.msg == "Expecting value":
        how = say(
            'look for a comma too many, a comment, or quotes that are not "',
            '请检查是否有多余的逗号、注释，或引号不是英文双引号 "',
        )
    return what, how
