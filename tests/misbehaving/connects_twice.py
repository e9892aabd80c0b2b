"""Opens a second stream at its third decision, as if it knew nothing of the first."""

import threading

from tests.misbehaving.raw import RawStream


def play(stream: RawStream) -> None:
    try:
        for number, decision in enumerate(stream.decisions(), start=1):
            if number == 3 and stream is first:
                threading.Thread(target=play, args=(RawStream(),)).start()
            stream.send(stream.answer(decision))
    except Exception as error:
        print(error, flush=True)


first = RawStream()
play(first)
