"""Encrypted connections of the client."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from sixtysix import Action, Bot, View
from sixtysix.client import ClientError, run
from sixtysix.connection import Tls
from sixtysix.v1 import bot_service_pb2 as pb
from tests.certificates import Authority
from tests.sdk.scripted_arbiter import TOKEN, Peer, arbiter, say

VARIABLES = ("SIXTYSIX_TLS_CA", "SIXTYSIX_TLS_CERT", "SIXTYSIX_TLS_KEY")


class First(Bot):
    def choose(self, view: View) -> Action:
        return view.legal_actions[0]


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


def welcome(peer: Peer) -> Iterator[pb.PlayResponse]:
    peer.message()
    yield say(pb.Update(welcome=pb.Welcome(session_id="s", protocol_major=1)))


def credentials(authority: Authority, host: str = "127.0.0.1", client_ca: Path | None = None) -> grpc.ServerCredentials:
    certificate, key = authority.issue("server", host)
    pairs = [(key.read_bytes(), certificate.read_bytes())]
    return grpc.ssl_server_credentials(pairs, client_ca.read_bytes() if client_ca else None, client_ca is not None)


def test_an_authority_that_is_given(authority: Authority) -> None:
    with arbiter(welcome, credentials=credentials(authority)) as address:
        run(First(), address=address, token=TOKEN, tls_ca=authority.file)


def test_the_certificate_itself_can_be_given(authority: Authority, tmp_path: Path) -> None:
    with arbiter(welcome, credentials=credentials(authority)) as address:
        run(First(), address=address, token=TOKEN, tls_ca=tmp_path / "server.pem")


def test_a_certificate_to_show_from_the_environment(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate, key = authority.issue("client")
    for variable, path in zip(VARIABLES, (authority.file, certificate, key), strict=True):
        monkeypatch.setenv(variable, str(path))
    with arbiter(welcome, credentials=credentials(authority, client_ca=authority.file)) as address:
        run(First(), address=address, token=TOKEN)


@pytest.mark.parametrize(
    ("ca", "host", "told"),
    [
        (lambda path: Authority(path, "stranger").file, "127.0.0.1", "CERTIFICATE_VERIFY_FAILED"),
        (lambda path: "system", "127.0.0.1", "CERTIFICATE_VERIFY_FAILED"),
        (lambda path: path / "authority.pem", "127.0.0.2", "Hostname Verification Check failed"),
    ],
    ids=["another authority", "the public ones", "another host"],
)
def test_who_is_not_the_arbiter_gets_no_token(
    authority: Authority, tmp_path: Path, ca: Callable[[Path], Any], host: str, told: str
) -> None:
    streams: list[Peer] = []

    def never(peer: Peer) -> Iterator[pb.PlayResponse]:
        streams.append(peer)
        yield say()

    with (
        arbiter(never, credentials=credentials(authority, host)) as address,
        pytest.raises(ClientError, match=f"UNAUTHENTICATED: it is not the arbiter that was expected: .*{told}"),
    ):
        run(First(), address=address, token=TOKEN, tls_ca=ca(tmp_path))
    assert streams == []


def test_an_arbiter_without_tls_gets_no_token(authority: Authority) -> None:
    with arbiter(welcome) as address, pytest.raises(ClientError, match="it is not the arbiter that was expected"):
        run(First(), address=address, token=TOKEN, tls_ca=authority.file)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (("/no/such.pem", None, None), "/no/such.pem holds no certificates in PEM: .*No such file"),
        (("KEY", None, None), "holds no certificates in PEM"),
        ((None, "CERT", "KEY"), "a certificate is shown to an arbiter that is known: set SIXTYSIX_TLS_CA too"),
        (("CA", "CERT", None), "SIXTYSIX_TLS_CERT and SIXTYSIX_TLS_KEY belong together: set both"),
        (("CA", None, "KEY"), "SIXTYSIX_TLS_CERT and SIXTYSIX_TLS_KEY belong together: set both"),
        (("CA", "CERT", "OTHER"), "are no certificate and its key in PEM: .*KEY_VALUES_MISMATCH"),
    ],
)
def test_settings_that_are_wrong(authority: Authority, settings: tuple[str | None, ...], told: str) -> None:
    certificate, key = authority.issue("client")
    files = {"CA": authority.file, "CERT": certificate, "KEY": key, "OTHER": authority.issue("other")[1]}
    ca, shown, its_key = (files.get(name, name) if name is not None else None for name in settings)
    with pytest.raises(ClientError, match=told):
        run(First(), address="127.0.0.1:1", token=TOKEN, tls_ca=ca, tls_cert=shown, tls_key=its_key)


def test_a_private_key_is_not_shown() -> None:
    assert "hidden" not in repr(Tls(b"ca", b"certificate", b"hidden"))
