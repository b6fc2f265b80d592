"""Where the daemon is called: as the settings of the command line say."""

import sys
import threading
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from laios.errors import InvalidSettings
from laios.launcher import packages_directory

_PRIVATE = "laios._config"  # `config` may be a module of the caller's own
_loading = threading.Lock()  # calls of one program may be its first ones together


@dataclass(frozen=True, slots=True)
class Connection:
    """`address` has no slash at its end; `token` is the daemon's API_TOKEN, or None."""

    address: str
    token: str | None = None

    @property
    def http_options(self) -> dict[str, Any]:
        """Of an httpx client that calls there."""
        return {
            "base_url": self.address,
            "headers": {"Authorization": f"Bearer {self.token}"} if self.token else {},
            "trust_env": False,  # a proxy is not meant for a daemon on this machine
            # Plain HTTP needs no certificates, and they take longer to load than most answers.
            "verify": not self.address.lower().startswith("http:"),
        }


def checked(connection: Connection) -> Connection:
    """Raises InvalidSettings for what no request can be sent with."""
    import httpx

    address, token = connection.address, connection.token or ""
    try:
        url = httpx.URL(address)
        whole = url.scheme in ("http", "https") and url.host and 0 < (url.port or 80) < 1 << 16
        whole = whole and " " not in address
    except httpx.InvalidURL:
        whole = False
    if not whole:
        raise InvalidSettings(f"{address!r} is not an address such as http://127.0.0.1:11711.")
    if not (token.isascii() and token.isprintable()):
        raise InvalidSettings("The token contains characters that an HTTP header cannot carry.")
    return connection


def configured() -> Connection:
    """That of the LAIOS_* variables and config.toml. Raises InvalidSettings."""
    config = _config()
    try:
        settings = config.load_settings()
    except config.ConfigError as error:
        raise InvalidSettings(str(error)) from None
    return Connection(config.base_url(settings), settings.API_TOKEN)


def _config() -> Any:
    """Our `config.py`, which imports nothing else of ours, under a name of its own."""
    with _loading:
        if _PRIVATE not in sys.modules:
            spec = spec_from_file_location(_PRIVATE, Path(packages_directory()) / "config.py")
            assert spec and spec.loader
            sys.modules[_PRIVATE] = module = module_from_spec(spec)
            spec.loader.exec_module(module)
        return sys.modules[_PRIVATE]
