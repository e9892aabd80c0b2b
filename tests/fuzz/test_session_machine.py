"""Random conversations with the session table, in the same order at both ends and with messages under way."""

from collections import deque
from contextlib import suppress
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from sixtysix.session import Answer, CommandError, MatchState, Session, SessionError, StreamState, UpdateError
from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.v1 import deal_pb2

MATCHES = ("a", "b", "c")
ACTIONS = [deal_pb2.Action(kind=kind) for kind in (deal_pb2.ACTION_KIND_CLAIM, deal_pb2.ACTION_KIND_DRAW)]

match_ids = st.sampled_from([*MATCHES, "", "never"])
decision_ids = st.integers(0, 9) | st.just((1 << 32) - 1)
actions = st.sampled_from([*ACTIONS, deal_pb2.Action()])
commands = st.one_of(
    st.builds(lambda: pb.Command()),
    st.builds(lambda: pb.Command(hello=pb.Hello())),
    st.builds(lambda nonce: pb.Command(pong=pb.Pong(nonce=nonce)), st.integers(0, 2)),
    st.builds(lambda: pb.Command(leave=pb.Leave())),
    st.builds(lambda match_id: pb.Command(ready=pb.Ready(match_id=match_id)), match_ids),
    st.builds(
        lambda match_id, decision_id, action: pb.Command(
            action=pb.ActionCommand(match_id=match_id, decision_id=decision_id, action=action)
        ),
        match_ids,
        decision_ids,
        actions,
    ),
)
of_match: dict[str, Any] = {
    "deal_started": pb.DealStarted,
    "event": pb.MatchEvent,
    "action_result": pb.ActionResult,
    "deal_ended": pb.DealEnded,
    "match_ended": pb.MatchEnded,
}
updates = st.one_of(
    st.builds(lambda: pb.Update()),
    st.builds(lambda: pb.Update(welcome=pb.Welcome())),
    st.builds(lambda: pb.Update(ping=pb.Ping(nonce=1))),
    st.builds(lambda: pb.Update(draining=pb.Draining())),
    st.builds(lambda: pb.Update(error=pb.Error())),
    st.builds(
        lambda match_id, resumed: pb.Update(match_offered=pb.MatchOffered(match_id=match_id, resumed=resumed)),
        match_ids,
        st.booleans(),
    ),
    st.builds(
        lambda match_id, decision_id: pb.Update(decision=pb.Decision(match_id=match_id, decision_id=decision_id)),
        match_ids,
        decision_ids,
    ),
    st.builds(
        lambda kind, match_id: pb.Update(**{kind: of_match[kind](match_id=match_id)}),
        st.sampled_from(sorted(of_match)),
        match_ids,
    ),
)


def states(session: Session) -> list[object]:
    return [session.state, *(session.match_state(match_id) for match_id in (*MATCHES, "", "never"))]


class SameOrder(RuleBasedStateMachine):
    """Both ends see the same conversation, sense and nonsense."""

    def __init__(self) -> None:
        super().__init__()
        self.ends = (Session(), Session())

    def both(self, method: str, message: pb.Command | pb.Update) -> object:
        results: list[object] = []
        for end in self.ends:
            before = states(end)
            refused: SessionError | None = None
            try:
                results.append(getattr(end, method)(message))
            except SessionError as error:
                refused = error
            if refused is not None:
                results.append((type(refused), refused.reason, str(refused)))
                # Whose fault it is follows from who speaks, and a command that is refused changes nothing.
                assert type(refused) is (CommandError if method == "command" else UpdateError)
                assert end.state is before[0]
                assert method == "update" or states(end) == before
        assert results[0] == results[1]
        return results[0]

    @rule(message=commands)
    def command(self, message: pb.Command) -> None:
        answer = self.both("command", message)
        if isinstance(answer, Answer) and answer is not Answer.CURRENT:
            # Whatever a bot answers, it can be told what that was.
            result = pb.ActionResult(match_id=message.action.match_id, status=answer.value)
            assert self.both("update", pb.Update(action_result=result)) is None

    @rule(message=updates)
    def update(self, message: pb.Update) -> None:
        self.both("update", message)

    @precondition(lambda self: self.ends[0].state is StreamState.HELLO_EXPECTED)
    @rule()
    def open(self) -> None:
        self.both("command", pb.Command(hello=pb.Hello()))
        self.both("update", pb.Update(welcome=pb.Welcome()))

    @precondition(lambda self: self.ends[0].state is StreamState.OPEN)
    @rule(match_id=st.sampled_from(MATCHES))
    def play(self, match_id: str) -> None:
        self.both("update", pb.Update(match_offered=pb.MatchOffered(match_id=match_id)))
        self.both("command", pb.Command(ready=pb.Ready(match_id=match_id)))
        self.both("update", pb.Update(deal_started=pb.DealStarted(match_id=match_id)))

    @invariant()
    def states_agree(self) -> None:
        assert states(self.ends[0]) == states(self.ends[1])

    @invariant()
    def only_an_open_stream_has_had_matches(self) -> None:
        if self.ends[0].state in (StreamState.HELLO_EXPECTED, StreamState.WELCOME_EXPECTED):
            assert set(states(self.ends[0])[1:]) == {None}


class UnderWay(RuleBasedStateMachine):
    """Each end says what its own session allows, while messages of the other are under way.

    A bot says no more than the SDK does: nothing about a match that it does not know.
    """

    def __init__(self) -> None:
        super().__init__()
        self.decision_id = 0  # counts on over all streams, as that of a match does
        self.connect()

    def connect(self) -> None:
        self.bot, self.arbiter = Session(), Session()
        self.to_bot: deque[pb.Update] = deque()
        self.to_arbiter: deque[pb.Command] = deque()
        self.say(pb.Command(hello=pb.Hello()))
        self.arrive_at_arbiter()
        self.tell(pb.Update(welcome=pb.Welcome()))
        self.arrive_at_bot()

    def say(self, command: pb.Command) -> None:
        self.bot.command(command)
        self.to_arbiter.append(command)

    def tell(self, update: pb.Update) -> None:
        self.arbiter.update(update)
        self.to_bot.append(update)

    @precondition(lambda self: self.to_bot)
    @rule()
    def arrive_at_bot(self) -> None:
        update = self.to_bot.popleft()
        if self.bot.state is not StreamState.LEFT:
            self.bot.update(update)

    @precondition(lambda self: self.to_arbiter)
    @rule()
    def arrive_at_arbiter(self) -> None:
        command = self.to_arbiter.popleft()
        answer = self.arbiter.command(command)
        if command.HasField("action"):
            # It was right when it was said: it may be too late, but it is never mistaken for something else.
            assert answer in (Answer.CURRENT, Answer.TOO_LATE, Answer.STALE, Answer.MATCH_OVER)

    @precondition(lambda self: self.bot.state is StreamState.OPEN)
    @rule(match_id=st.sampled_from(MATCHES))
    def ready(self, match_id: str) -> None:
        if self.bot.match_state(match_id) is MatchState.OFFERED:
            self.say(pb.Command(ready=pb.Ready(match_id=match_id)))

    @precondition(lambda self: self.bot.state is StreamState.OPEN)
    @rule(match_id=st.sampled_from(MATCHES), action=actions)
    def answer(self, match_id: str, action: deal_pb2.Action) -> None:
        if self.bot.match_state(match_id) is MatchState.DECIDING:
            asked = self.bot._matches[match_id].decision_id
            command = pb.ActionCommand(match_id=match_id, decision_id=asked, action=action)
            self.say(pb.Command(action=command))
            assert self.bot.match_state(match_id) is MatchState.PLAYING

    @precondition(lambda self: self.bot.state is StreamState.OPEN)
    @rule()
    def leave(self) -> None:
        self.say(pb.Command(leave=pb.Leave()))

    @precondition(lambda self: self.bot.state is StreamState.LEFT)
    @rule()
    def come_back(self) -> None:
        self.connect()

    @precondition(lambda self: self.arbiter.state is StreamState.OPEN)
    @rule(match_id=st.sampled_from(MATCHES))
    def decide(self, match_id: str) -> None:
        if self.arbiter.match_state(match_id) is MatchState.PLAYING:
            self.decision_id += 1
            self.tell(pb.Update(decision=pb.Decision(match_id=match_id, decision_id=self.decision_id)))

    @precondition(lambda self: self.arbiter.state is StreamState.OPEN)
    @rule(update=updates)
    def say_anything_that_is_allowed(self, update: pb.Update) -> None:
        ended = update.WhichOneof("update") == "match_ended"
        match_id = update.match_ended.match_id
        if update.HasField("decision") or (ended and self.arbiter.match_state(match_id) is None):
            return
        with suppress(UpdateError):
            self.tell(update)

    def teardown(self) -> None:
        """With nothing under way any more, both ends know the same."""
        for messages, arrive in ((self.to_bot, self.arrive_at_bot), (self.to_arbiter, self.arrive_at_arbiter)):
            while messages:
                arrive()
        if self.bot.state is StreamState.LEFT:
            assert self.arbiter.state is StreamState.LEFT
        else:
            assert states(self.bot) == states(self.arbiter)


for machine in (SameOrder, UnderWay):
    machine.TestCase.settings = settings(max_examples=150, stateful_step_count=40)
TestSameOrder = SameOrder.TestCase
TestUnderWay = UnderWay.TestCase
