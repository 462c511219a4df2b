"""Sealed cases: the examiner's key, on which side a cluster is, cases encrypted and opened in memory.

Encryption is age's (X25519): whoever has the public recipient can add, only the identity opens. A key file is
a plain age identity file; a comment line in it holds a second secret, from which a cluster's tag is reckoned.
"""

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field

import pyrage

from fairtrial.cases.fields import read_case
from fairtrial.cases.problems import Findings
from fairtrial.cases.write import written
from fairtrial.errors import BadInput
from fairtrial.schema.case import Case
from fairtrial.text.language import say

_IDENTITY = re.compile(r"^AGE-SECRET-KEY-1[0-9A-Z]+$", re.MULTILINE)
_SIDE = re.compile(r"^# side: ([0-9a-f]{64})$", re.MULTILINE)


def cluster_of(case: Case) -> str:
    """The cluster that a case belongs to: its own, else its source, else itself."""
    return case.cluster or case.source or case.id


@dataclass(frozen=True, kw_only=True, slots=True)
class Key:
    """What opens sealed cases. Never shown: neither field is in its `repr`."""

    identity: pyrage.x25519.Identity = field(repr=False)
    side: bytes = field(repr=False)

    @classmethod
    def read(cls, text: str, where: str) -> "Key":
        """The key of a key file's text. Raises BadInput, without a word of it."""
        identity, side = _IDENTITY.search(text), _SIDE.search(text)
        if identity is None or side is None:
            raise BadInput(
                say("no examiner's key in it", "其中没有考官密钥"),
                where=where,
                how=say(
                    "`fairtrial seal init --key FILE` makes one", "用 `fairtrial seal init --key FILE` 生成"
                ),
            )
        try:
            return cls(identity=pyrage.x25519.Identity.from_str(identity[0]), side=bytes.fromhex(side[1]))
        except pyrage.IdentityError as error:
            raise BadInput(say("the key is damaged", "密钥已损坏"), where=where) from error

    @property
    def recipient(self) -> str:
        """The public half, `age1…`, to which anybody can encrypt."""
        return str(self.identity.to_public())

    def tag(self, cluster: str) -> str:
        """A cluster's keyed hash, HMAC-SHA256 in hexadecimal: the same everywhere, and nobody's guess."""
        return hmac.new(self.side, cluster.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    def decrypt(self, data: bytes, where: str) -> bytes:
        """What was encrypted to this key. Raises BadInput for another key, a changed or a cut file."""
        try:
            return pyrage.decrypt(data, [self.identity])
        except pyrage.DecryptError as error:
            other = "No matching keys" in str(error)
            what = (
                say("sealed to another key", "是用另一把密钥封存的")
                if other
                else say(
                    "not whole: changed, cut short, or no sealed file",
                    "不完整：被改动、被截短，或不是封存文件",
                )
            )
            how = (
                say("name the key of this project's examiner", "请指明本项目考官的密钥")
                if other
                else say("restore it from a sound copy", "请用完好的副本恢复")
            )
            raise BadInput(what, where=where, how=how) from error


def new_key() -> str:
    """The text of a key file: an age identity, and the secret of the tags in a comment."""
    identity = pyrage.x25519.Identity.generate()
    return (
        "# The examiner's key of fairtrial. Who has it reads every sealed case; who loses it reads none.\n"
        f"# public key: {identity.to_public()}\n# side: {secrets.token_hex(32)}\n{identity}\n"
    )


def encrypt(data: bytes, recipient: str) -> bytes:
    """The bytes, encrypted to a public recipient. Raises BadInput for what is none."""
    try:
        return pyrage.encrypt(data, [pyrage.x25519.Recipient.from_str(recipient)])
    except pyrage.RecipientError as error:
        raise BadInput(
            say("not a public key of age (`age1…`)", "不是 age 公钥（`age1…`）"),
            where="[seal] recipient",
            how=say("`fairtrial seal init` writes it", "由 `fairtrial seal init` 写入"),
        ) from error


def seal_cases(cases: Iterable[Case], recipient: str) -> bytes:
    """The cases as JSON Lines, encrypted to a public recipient. Raises BadInput for what is none."""
    lines = (json.dumps(written(case), ensure_ascii=False) for case in cases)
    return encrypt("\n".join(lines).encode("utf-8", "surrogatepass"), recipient)


def open_cases(data: bytes, key: Key, where: str) -> tuple[Case, ...]:
    """What `seal_cases` sealed. Raises BadInput, without a word of any case."""
    lines = key.decrypt(data, where).split(b"\n")
    findings = Findings()
    drafts = [read_case(json.loads(line), (), findings) for line in lines]
    cases = tuple(draft.case for draft in drafts if draft.case is not None)
    if len(cases) != len(drafts):
        raise BadInput(
            say("a sealed case that this version cannot read", "其中有本版本读不了的用例"),
            where=where,
            how=say("open it with the version that sealed it", "请用封存它的版本打开"),
        )
    return cases
