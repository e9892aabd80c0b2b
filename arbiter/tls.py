"""Certificates: read and checked before anybody is listened to. Knows nothing of gRPC."""

import ssl
from dataclasses import dataclass, field
from pathlib import Path

from arbiter.config import ServerSection


class TlsError(Exception):
    """A certificate or a key cannot be used; the message says which file and why."""


@dataclass(frozen=True, slots=True)
class ServerTls:
    """What a server that speaks TLS needs, as PEM.

    Attributes:
        certificate: with the intermediate ones after it.
        key: its private key.
        client_ca: whose client certificates are accepted; None asks for none.
    """

    certificate: bytes
    key: bytes = field(repr=False)
    client_ca: bytes | None


def load(server: ServerSection) -> ServerTls | None:
    """Read the certificates of a tournament file; None without TLS. Raises TlsError."""
    certificate, key, client_ca = server.tls_cert, server.tls_key, server.client_ca
    if certificate is None or key is None:
        return None
    found = ServerTls(_read(certificate), _read(key), None if client_ca is None else _read(client_ca))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        # The empty password keeps OpenSSL from asking for one on the terminal.
        context.load_cert_chain(certificate, key, password="")
    except (OSError, ValueError) as error:
        what = getattr(error, "reason", None) or "the key cannot be read"
        raise TlsError(f"{certificate} and {key}: not a certificate and its key in PEM ({what})") from error
    if client_ca is not None:
        try:
            context.load_verify_locations(client_ca)
        except (OSError, ValueError) as error:
            raise TlsError(f"{client_ca}: not certificates in PEM") from error
    return found


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TlsError(f"{path}: cannot be read: {error.strerror}") from error
