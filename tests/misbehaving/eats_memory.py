"""Takes more and more memory at its third decision, though not so much that it harms a machine without a limit."""

from tests.misbehaving.raw import RawStream

stream = RawStream()
for number, decision in enumerate(stream.decisions(), start=1):
    if number == 3:
        eaten = [bytearray(50_000_000) for _ in range(20)]
        print(f"nobody minds {len(eaten)} times 50 MB")
    stream.send(stream.answer(decision))
