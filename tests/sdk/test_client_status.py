from typing import Any, NamedTuple

import grpc
import pytest

from sixtysix.connection import stream_end
from sixtysix.link import StreamEnd
from sixtysix.v1 import status_pb2


class FailedCall(grpc.RpcError):
    """An error as a call of gRPC raises it, with these details of its status."""

    def __init__(self, details: bytes | None) -> None:
        self._metadata = () if details is None else (_Item("grpc-status-details-bin", details),)

    def code(self) -> grpc.StatusCode:
        return grpc.StatusCode.UNAVAILABLE

    def details(self) -> str:
        return "the text of gRPC"

    def trailing_metadata(self) -> Any:
        return (_Item("other", "text"), *self._metadata)


class _Item(NamedTuple):
    key: str
    value: str | bytes


def status_bytes(domain: str, type_url: str = "type.googleapis.com/google.rpc.ErrorInfo") -> bytes:
    status = status_pb2.Status(code=14, message="its own text")
    info = status_pb2.ErrorInfo(reason="DRAINING", domain=domain)
    status.details.add(type_url=type_url, value=info.SerializeToString())
    return status.SerializeToString()


@pytest.mark.parametrize(
    ("details", "reason", "text"),
    [
        (status_bytes("sixtysix"), "DRAINING", "its own text"),
        (status_bytes("example.org"), "", "the text of gRPC"),
        (status_bytes("sixtysix", "type.googleapis.com/google.rpc.RetryInfo"), "", "the text of gRPC"),
        (b"\xff", "", "the text of gRPC"),
        (None, "", "the text of gRPC"),
    ],
    ids=["ours", "other domain", "other detail", "garbage", "none"],
)
def test_only_details_of_this_protocol_give_a_reason(details: bytes | None, reason: str, text: str) -> None:
    assert stream_end(FailedCall(details)) == StreamEnd("UNAVAILABLE", reason, text)
