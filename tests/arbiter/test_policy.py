import pytest

from arbiter.policy import Consequence, Fault, FaultPolicy

DEAL, MATCH = Consequence.FORFEIT_DEAL, Consequence.FORFEIT_MATCH
VOID = Consequence.VOID


@pytest.mark.parametrize(
    ("fault", "illegal", "late", "expected"),
    [
        (Fault.ILLEGAL, DEAL, MATCH, DEAL),
        (Fault.ILLEGAL, MATCH, DEAL, MATCH),
        (Fault.MALFORMED, DEAL, MATCH, DEAL),
        (Fault.MALFORMED, MATCH, DEAL, MATCH),
        (Fault.LATE, MATCH, DEAL, DEAL),
        (Fault.LATE, DEAL, MATCH, MATCH),
        (Fault.DISCONNECTED, DEAL, DEAL, MATCH),
        (Fault.LEFT, DEAL, DEAL, MATCH),
        (Fault.NOT_READY, DEAL, DEAL, MATCH),
        (Fault.PROTOCOL, DEAL, DEAL, MATCH),
    ],
)
def test_first_fault(fault: Fault, illegal: Consequence, late: Consequence, expected: Consequence) -> None:
    policy = FaultPolicy(illegal, late, limit=3, reconnect_us=0)
    assert policy.consequence(fault, 0, opponent_gone=False) is expected


@pytest.mark.parametrize("fault", [Fault.ILLEGAL, Fault.LATE, Fault.MALFORMED])
@pytest.mark.parametrize(("so_far", "expected"), [(0, DEAL), (1, DEAL), (2, MATCH), (3, MATCH)])
def test_the_fault_that_reaches_the_limit_forfeits_the_match(fault: Fault, so_far: int, expected: Consequence) -> None:
    policy = FaultPolicy(DEAL, DEAL, limit=3, reconnect_us=0)
    assert policy.consequence(fault, so_far, opponent_gone=False) is expected


@pytest.mark.parametrize("fault", Fault)
def test_a_match_is_void_only_when_both_bots_are_gone(fault: Fault) -> None:
    policy = FaultPolicy(DEAL, DEAL, limit=3, reconnect_us=0)
    still_there = fault in (Fault.ILLEGAL, Fault.LATE, Fault.MALFORMED)
    assert policy.consequence(fault, 0, opponent_gone=True) is (DEAL if still_there else VOID)


@pytest.mark.parametrize(
    ("illegal", "late", "limit", "reconnect_us", "named"),
    [
        (VOID, DEAL, 3, 0, "illegal"),
        (DEAL, VOID, 3, 0, "late"),
        (DEAL, DEAL, 0, 0, "limit"),
        (DEAL, DEAL, 3, -1, "reconnect_us"),
    ],
)
def test_values_out_of_range_are_refused(
    illegal: Consequence, late: Consequence, limit: int, reconnect_us: int, named: str
) -> None:
    with pytest.raises(ValueError, match=named):
        FaultPolicy(illegal, late, limit, reconnect_us)
