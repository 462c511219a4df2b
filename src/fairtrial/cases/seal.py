"""Cases that only the holder of a key can read, and clusters that only he can tell: age, and a keyed hash."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyrage

from fairtrial.cases.files import of_bytes
from fairtrial.cases.lint import same_id
from fairtrial.cases.load import load_files
from fairtrial.cases.write import written
from fairtrial.errors import BadInput
from fairtrial.schema.case import Case
from fairtrial.text.json import encode
from fairtrial.text.language import say

VARIABLE = "FAIRTRIAL_EXAMINER_KEY"
"""The environment variable that may hold the content of a key file."""
_SIDE = re.compile(r"^#\s*side:\s*([0-9a-f]{64})\s*$", re.MULTILINE)
_IDENTITY = re.compile(r"^AGE-SECRET-KEY-1[0-9A-Z]+$", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Key:
    """The examiner's key: what opens sealed cases, and the secret by which clusters take their side.

    `file` is where it was read, if from a file.
    """

    identity: Any = field(repr=False)
    side: bytes = field(repr=False)
    file: Path | None = None

    @classmethod
    def read(cls, text: str, where: str) -> "Key":
        """The key of a key file's content. Raises BadInput; the content is never told."""
        identity, side = _IDENTITY.search(text), _SIDE.search(text)
        try:
            if identity and side:
                opens = pyrage.x25519.Identity.from_str(identity[0])
                return cls(identity=opens, side=bytes.fromhex(side[1]))
        except pyrage.IdentityError:
            pass
        raise BadInput(
            say("not a key of an examiner", "不是考官密钥"),
            where=where,
            how=say(
                "it has a line AGE-SECRET-KEY-1… and a line `# side: …`; fairtrial seal init makes one",
                "其中应有 AGE-SECRET-KEY-1… 与 `# side: …` 两行；由 fairtrial seal init 生成",
            ),
        )

    @property
    def recipient(self) -> str:
        """The public half, to which anyone can encrypt: `age1…`."""
        return str(self.identity.to_public())

    @property
    def check(self) -> str:
        """Tells the side secret from another one: the tag of no cluster."""
        return self.tag("")

    def tag(self, cluster: str) -> str:
        """Half of the HMAC-SHA256 of a cluster's name as a reader takes it, 32 hexadecimal digits.

        Width, white space and composition make no other name. The same for every copy of a project that has
        the key, and without it not to be guessed.
        """
        name = same_id(cluster).encode("utf-8", "surrogatepass")
        return hmac.new(self.side, name, hashlib.sha256).hexdigest()[:32]

    def decrypt(self, data: bytes, where: str) -> bytes:
        """What was encrypted to this key. Raises BadInput for another key, a changed or a cut file."""
        try:
            return bytes(pyrage.decrypt(data, [self.identity]))
        except pyrage.DecryptError as error:
            wrong = "No matching keys" in str(error)
            raise BadInput(
                say("another key sealed it", "由另一把密钥封存")
                if wrong
                else say("it was changed or cut off: it cannot be opened", "被改动或截断：无法打开"),
                where=where,
                how=say("give the examiner's key: --key", "请用 --key 给出考官密钥")
                if wrong
                else say("put a sound copy in its place", "请换回完好的副本"),
            ) from error


def new_key(day: str) -> str:
    """The content of a new key file: an age identity, with the side secret in a comment."""
    identity = pyrage.x25519.Identity.generate()
    about = f"# created: {day}\n# public key: {identity.to_public()}\n"
    return f"{about}# side: {secrets.token_hex(32)}\n{identity}\n"


def read_key(path: Path | None, environment: str | None) -> Key:
    """The key of the file, or else of the variable FAIRTRIAL_EXAMINER_KEY. Raises BadInput."""
    if path is None:
        if environment:
            return Key.read(environment, VARIABLE)
        raise BadInput(
            say("no key was given", "没有给出密钥"),
            where="--key",
            how=say(f"--key FILE, or the variable {VARIABLE}", f"--key 文件，或环境变量 {VARIABLE}"),
        )
    try:
        return replace(Key.read(path.read_text("utf-8"), str(path)), file=path)
    except (OSError, UnicodeDecodeError) as error:
        what = getattr(error, "strerror", None) or say("not a text", "不是文本")
        raise BadInput(what, where=str(path), how=say("name the key file", "请指定密钥文件")) from error


def encrypt(data: bytes, recipient: str) -> bytes:
    """To whoever holds the key of `recipient` (`age1…`). Raises BadInput where it is no recipient."""
    try:
        return bytes(pyrage.encrypt(data, [pyrage.x25519.Recipient.from_str(recipient)]))
    except pyrage.RecipientError as error:
        raise BadInput(
            say(f"not a public key: {recipient}", f"不是公钥：{recipient}"),
            where="[seal] recipient",
            how=say("as `fairtrial seal init` wrote it", "应与 `fairtrial seal init` 写入的一致"),
        ) from error


def seal_cases(cases: Sequence[Case], recipient: str) -> bytes:
    """The cases, a line of JSON each, encrypted: an ordinary age file. Raises BadInput as `encrypt`."""
    return encrypt(b"".join(encode(written(case)) + b"\n" for case in cases), recipient)


def open_cases(data: bytes, key: Key, where: str) -> tuple[Case, ...]:
    """What `seal_cases` closed. Raises BadInput for another's key and for what was changed or cut.

    Nothing of what is inside is ever told by an error.
    """
    plain = key.decrypt(data, where)
    case_set = load_files([of_bytes(plain, where, "jsonl")]).case_set
    if case_set is None:
        raise BadInput(
            say("what is inside are no cases of this version", "其中不是本版本的用例"),
            where=where,
            how=say("open it with the version that sealed it", "请用封存它的版本打开"),
        )
    return case_set.cases
