"""HTTP towards an agent: one pool of connections, and who is to blame when something goes wrong.

- 429, 503, 529: busy; the session waits and asks again.
- 401, 403, 404, 405, 407 and redirects (never followed: they could carry a key elsewhere): the set-up is
  wrong, an infrastructure error. So is an address that cannot be reached: no name, no connection, no TLS.
- Every other error of the endpoint, and a connection dropped after the request was taken: the agent's
  error. Crashing on hard cases must not look like bad weather.
- A body that ends before its end: a cut stream.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import quote, urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import msgspec
from yarl import URL

from fairtrial.agents.answer import malformed
from fairtrial.agents.environ import environ_value
from fairtrial.agents.protocol import Busy, SessionFailed
from fairtrial.agents.retry_after import seconds_to_wait
from fairtrial.agents.wire import shown
from fairtrial.errors import BadInput
from fairtrial.schema.record import Status
from fairtrial.text.language import say

BODY_LIMIT = 64 * 1024 * 1024

_BUSY = (429, 503, 529)
_SETUP = (401, 403, 404, 405, 407)
_SESSION = re.compile(r"\{\{\s*session\s*\}\}")
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_LOCAL = re.compile(
    r"localhost|127\.[\d.]+|::1|10\.[\d.]+|192\.168\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|0\.0\.0\.0"
)


class Endpoint:
    """An address with its headers and the connections to it.

    `url` and `headers` may hold `${NAME}` of environment variables, and `url` `{{session}}`, filled in for
    each request. Raises CannotRun where a variable is unset, BadInput where the address is none.
    """

    def __init__(
        self, url: str, headers: Mapping[str, str], environ: Mapping[str, str], *, method: str = "POST"
    ) -> None:
        self._secrets: set[str] = set()
        self._written = self._expand(url, environ)
        self._url = _url(self._written, url)
        self._method = method
        self._headers = {"Content-Type": "application/json"}
        self._headers |= {name: self._expand(value, environ) for name, value in headers.items()}
        self._proxy = _proxy_for(self._url)
        self._client: aiohttp.ClientSession | None = None

    def request(self, body: bytes | None, *, session: str = "") -> Any:
        """Send a body: an async context manager of the response. Use it under `blame`."""
        url = self._url
        if session:
            url = URL(_SESSION.sub(quote(session, safe=""), self._written))
        if self._client is None or self._client.closed:
            self._client = _client(self._headers)
        return self._client.request(self._method, url, data=body, allow_redirects=False, proxy=self._proxy)

    async def close(self) -> None:
        """Close all connections."""
        if self._client is not None:
            await self._client.close()

    async def refuse(self, response: aiohttp.ClientResponse) -> None:
        """Raise what a status other than 2xx means: Busy or SessionFailed. Otherwise nothing."""
        status = response.status
        if 200 <= status < 300:
            return
        body = b""
        with suppress(aiohttp.ClientError, OSError):  # the status says enough without its body
            body = await read_body(response)
        reason = self._hide(_reason(body))
        message = f"HTTP {status}: {reason}" if reason else f"HTTP {status}"
        if status in _BUSY:
            raise Busy(message, seconds_to_wait(response.headers.get("Retry-After")))
        if 300 <= status < 400:
            there = self._hide(shown(response.headers.get("Location", "?")))
            message += say(f" (redirect to {there}, not followed)", f"（重定向到 {there}，没有跟随）")
            raise SessionFailed(Status.infra_error, "redirect", message)
        blamed = Status.infra_error if status in _SETUP else Status.agent_error
        raise SessionFailed(blamed, f"http_{status}", message)

    def blame(self, error: aiohttp.ClientError | OSError) -> SessionFailed:
        """Whose fault a broken transport is, before a byte of the answer was used."""
        message = self._hide(shown(str(error) or type(error).__name__))
        if isinstance(error, aiohttp.ClientPayloadError):
            return SessionFailed(
                Status.stream_cut, "cut", say("the answer broke off: ", "应答中断了：") + message
            )
        if isinstance(error, aiohttp.ClientConnectorError | aiohttp.ServerTimeoutError | aiohttp.InvalidURL):
            return SessionFailed(Status.infra_error, "unreachable", message)
        return SessionFailed(
            Status.agent_error,
            "disconnected",
            say("no answer to the request: ", "请求没有得到应答：") + message,
        )

    def _expand(self, text: str, environ: Mapping[str, str]) -> str:
        def value(match: re.Match[str]) -> str:
            secret = environ_value(match[1], environ)
            self._secrets.add(secret)
            return secret

        return _VARIABLE.sub(value, text)

    def _hide(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text


def is_local(url: str) -> bool:
    """Whether the host is this machine or in a private network, by its name alone."""
    host = urlsplit(url).hostname or ""
    return not {".", ":"} & set(host) or host.endswith(".local") or bool(_LOCAL.fullmatch(host))


async def read_body(response: aiohttp.ClientResponse) -> bytes:
    """The whole body. Raises SessionFailed beyond BODY_LIMIT bytes."""
    content = response.content
    body = await content.readany()
    if content.at_eof():
        return body
    parts, size = [body], len(body)
    while not content.at_eof():
        parts.append(await content.readany())
        size += len(parts[-1])
        if size > BODY_LIMIT:
            raise too_long()
    return b"".join(parts)


def too_long() -> SessionFailed:
    """The failure of an answer beyond BODY_LIMIT bytes."""
    return malformed(f"the answer is longer than {BODY_LIMIT} bytes", f"应答超过 {BODY_LIMIT} 字节")


def _url(text: str, written: str) -> URL:
    try:
        return URL(text)
    except ValueError as error:
        raise BadInput(str(error), where=written) from None


def _client(headers: Mapping[str, str]) -> aiohttp.ClientSession:
    # No limit of connections: whoever runs the sessions limits how many are under way. Idle ones are
    # given up before the 5 s after which common servers close them: a request sent into a closing
    # connection would look like an agent that hung up. No cookies: sessions must not know each other.
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=4.0),
        headers=headers,
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=15.0),
    )


def _proxy_for(url: URL) -> str | None:
    """The proxy that the environment names for this address, as for other programs; none if it is local."""
    if is_local(str(url)) or proxy_bypass(url.host or ""):
        return None
    return getproxies().get(url.scheme)


class _Complaint(msgspec.Struct):
    message: str = ""


class _ErrorBody(msgspec.Struct):
    error: _Complaint | str


def _reason(body: bytes) -> str:
    """What an error body says, in the shape most model servers use; else its beginning."""
    try:
        error = msgspec.json.decode(body, type=_ErrorBody).error
    except msgspec.DecodeError:
        return shown(body)
    return shown(error if isinstance(error, str) else error.message, 500)
