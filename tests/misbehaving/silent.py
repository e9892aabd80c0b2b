"""Never answers a decision."""

from tests.misbehaving.raw import RawStream

for _ in RawStream().decisions():
    pass
