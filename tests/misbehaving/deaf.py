"""Does not answer pings, and nothing else either."""

from tests.misbehaving.raw import RawStream

for _ in RawStream(answer_pings=False).decisions():
    pass
