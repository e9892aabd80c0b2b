import pytest

from arbiter.gathering import LONG_PATIENCE_S, PATIENCE_S, Gathering

# What happens: "w3" three updates that ask are written, "a2" two commands come in, "end" the patience is at its end.
CASES = [
    # Nothing to answer: at once.
    ([], 1, True),
    (["w1", "a1"], 1, True),
    # Something to answer: as much as that, and one more.
    (["w4"], 4, False),
    (["w4"], 5, True),
    (["w4", "a2"], 2, False),
    (["w4", "a2"], 3, True),
    # Nobody waits again for what was waited for.
    (["w4", "end"], 1, True),
    (["w4", "end", "w2"], 2, False),
    (["w4", "end", "w2", "a4"], 2, False),
    (["w4", "end", "w2", "a4", "a2"], 1, True),
    (["w4", "end", "w2", "a3", "a2"], 1, False),
    # Who answers many at once gets all that comes until then.
    (["w8", "a8", "w8"], 50, False),
    (["w8", "a8", "w8", "a8"], 1, True),
    (["w8", "a8", "w9", "a1"], 50, False),
    (["w8", "a8", "w9", "a1", "a8"], 1, True),
    (["w8", "a8", "w8", "end"], 1, True),
    # Until it does so no more.
    (["w8", "a8", "w8", "a1", "a1"], 7, True),
    # More answers than questions.
    (["w1", "a3", "w1"], 1, False),
]


def after(steps: list[str]) -> Gathering:
    gathering = Gathering()
    for step in steps:
        if step == "end":
            gathering.give_up()
        else:
            (gathering.written if step[0] == "w" else gathering.answered)(int(step[1:]))
    return gathering


@pytest.mark.parametrize(("steps", "queued", "enough"), CASES, ids=lambda value: str(value))
def test_when_it_is_time_to_write(steps: list[str], queued: int, enough: bool) -> None:
    assert after(steps).is_enough(queued) is enough


def test_there_is_more_patience_with_who_answers_many_at_once() -> None:
    assert after(["w8", "a3"]).patience_s == PATIENCE_S
    assert after(["w8", "a4"]).patience_s == LONG_PATIENCE_S
    assert after(["w8", "a8", "a1"]).patience_s == LONG_PATIENCE_S
    assert after(["w8", "a8", "a1", "a1"]).patience_s == PATIENCE_S
