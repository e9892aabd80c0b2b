package client

import (
	"errors"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"example.com/sixtysix-go-bot/game/gametest"
	pb "example.com/sixtysix-go-bot/gen/sixtysix/v1"
)

func welcome(sessionID string, resumed bool) *pb.Update {
	return &pb.Update{Update: &pb.Update_Welcome{Welcome: &pb.Welcome{SessionId: sessionID, Resumed: resumed}}}
}

func offer(matchID string) *pb.Update {
	return &pb.Update{Update: &pb.Update_MatchOffered{MatchOffered: gametest.Offer(matchID)}}
}

func decision(matchID string, decisionID uint64) *pb.Update {
	return &pb.Update{Update: &pb.Update_Decision{Decision: gametest.Decision(matchID, decisionID)}}
}

func tooLate(matchID string, decisionID uint64) *pb.Update {
	return &pb.Update{Update: &pb.Update_ActionResult{ActionResult: &pb.ActionResult{
		MatchId: matchID, DecisionId: decisionID, Status: pb.ActionStatus_ACTION_STATUS_TOO_LATE,
	}}}
}

func dealEnded(matchID string) *pb.Update {
	return &pb.Update{Update: &pb.Update_DealEnded{DealEnded: &pb.DealEnded{MatchId: matchID}}}
}

func matchEnded(matchID string) *pb.Update {
	return &pb.Update{Update: &pb.Update_MatchEnded{MatchEnded: &pb.MatchEnded{MatchId: matchID}}}
}

// take lets a session follow updates that come in one message.
func take(t *testing.T, s *session, updates ...*pb.Update) reaction {
	t.Helper()
	r, err := s.take(&pb.PlayResponse{Updates: updates}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// begun returns a session that has been welcomed and offered the match m1.
func begun(t *testing.T) *session {
	t.Helper()
	s := newSession(&pb.Hello{})
	s.begin()
	take(t, s, welcome("s1", false), offer("m1"))
	return s
}

// ask lets a session follow a decision that is to be thought about.
func ask(t *testing.T, s *session, decisionID uint64) *Question {
	t.Helper()
	r := take(t, s, decision("m1", decisionID))
	if len(r.questions) != 1 {
		t.Fatalf("%d questions, want 1", len(r.questions))
	}
	return r.questions[0]
}

func first(question *Question) *pb.Action {
	return question.Decision.GetLegalActions()[0]
}

func TestAPingIsAnsweredWithItsNonce(t *testing.T) {
	r := take(t, begun(t), &pb.Update{Update: &pb.Update_Ping{Ping: &pb.Ping{Nonce: 7}}})
	if len(r.commands) != 1 || r.commands[0].GetPong().GetNonce() != 7 {
		t.Errorf("commands %v, want a pong of 7", r.commands)
	}
}

func TestEveryOfferIsAccepted(t *testing.T) {
	s := begun(t)
	for range 2 {
		r := take(t, s, offer("m2"))
		if len(r.commands) != 1 || r.commands[0].GetReady().GetMatchId() != "m2" {
			t.Errorf("commands %v, want ready for m2", r.commands)
		}
	}
}

func TestTheNextHelloResumesTheSession(t *testing.T) {
	s := newSession(&pb.Hello{})
	if id := s.begin().GetHello().GetResumeSessionId(); id != "" {
		t.Errorf("the first hello resumes %q", id)
	}
	take(t, s, welcome("s1", false))
	if id := s.begin().GetHello().GetResumeSessionId(); id != "s1" {
		t.Errorf("the next hello resumes %q, want s1", id)
	}
	if s.welcomed {
		t.Error("welcomed before the welcome of the new stream")
	}
}

func TestADecisionIsAnsweredOnce(t *testing.T) {
	s := begun(t)
	question := ask(t, s, 1)
	got := s.answer(question, first(question)).GetAction()
	want := &pb.ActionCommand{MatchId: "m1", DecisionId: 1, Action: first(question)}
	if !proto.Equal(got, want) {
		t.Errorf("answer %v, want %v", got, want)
	}
	if again := s.answer(question, first(question)); again != nil {
		t.Errorf("a second answer: %v", again)
	}
}

func TestMatchesAreIndependent(t *testing.T) {
	s := begun(t)
	take(t, s, offer("m2"))
	r := take(t, s, decision("m1", 1), decision("m2", 1))
	if len(r.questions) != 2 {
		t.Fatalf("%d questions, want 2", len(r.questions))
	}
	take(t, s, dealEnded("m1"))
	if s.answer(r.questions[0], first(r.questions[0])) != nil {
		t.Error("an answer in the deal that has ended")
	}
	if id := s.answer(r.questions[1], first(r.questions[1])).GetAction().GetMatchId(); id != "m2" {
		t.Errorf("answer for match %q, want m2", id)
	}
}

func TestThinkingGoesOnAcrossAReconnect(t *testing.T) {
	s := begun(t)
	question := ask(t, s, 1)
	s.begin()
	r := take(t, s, welcome("s1", true), offer("m1"), decision("m1", 1))
	if len(r.questions) != 0 || len(r.dropped) != 0 {
		t.Errorf("%d new questions and %d dropped, want none", len(r.questions), len(r.dropped))
	}
	if s.answer(question, first(question)) == nil {
		t.Error("no answer after the reconnect")
	}
}

func TestALostAnswerIsSentAgain(t *testing.T) {
	s := begun(t)
	question := ask(t, s, 1)
	answer := s.answer(question, first(question))
	s.begin()
	r := take(t, s, welcome("s1", true), offer("m1"), decision("m1", 1))
	if len(r.questions) != 0 {
		t.Error("thought about twice")
	}
	if last := r.commands[len(r.commands)-1]; !proto.Equal(last, answer) {
		t.Errorf("command %v, want %v", last, answer)
	}
}

func TestANewSessionKnowsNothingOfTheOldOne(t *testing.T) {
	s := begun(t)
	question := ask(t, s, 1)
	s.begin()
	r := take(t, s, welcome("s2", false), offer("m1"), decision("m1", 1))
	if len(r.dropped) != 1 || r.dropped[0] != question {
		t.Errorf("dropped %v, want the old question", r.dropped)
	}
	if len(r.questions) != 1 {
		t.Errorf("%d questions, want 1: the match is another one", len(r.questions))
	}
	if s.answer(question, first(question)) != nil {
		t.Error("an answer of the old session in the new one")
	}
}

func TestWhatIsNotAskedAnyMoreIsDropped(t *testing.T) {
	for name, update := range map[string]*pb.Update{
		"too late":      tooLate("m1", 1),
		"deal ended":    dealEnded("m1"),
		"next decision": decision("m1", 2),
		"match ended":   matchEnded("m1"),
	} {
		t.Run(name, func(t *testing.T) {
			s := begun(t)
			question := ask(t, s, 1)
			r := take(t, s, update)
			if len(r.dropped) != 1 || r.dropped[0] != question {
				t.Errorf("dropped %v, want the question", r.dropped)
			}
			if s.answer(question, first(question)) != nil {
				t.Error("answered all the same")
			}
		})
	}
}

func TestWhatIsOverInTheSameMessageIsNotThoughtAbout(t *testing.T) {
	r := take(t, begun(t), decision("m1", 1), tooLate("m1", 1), dealEnded("m1"), decision("m1", 2))
	if len(r.questions) != 1 || r.questions[0].Decision.GetDecisionId() != 2 || len(r.dropped) != 0 {
		t.Errorf("questions %v, dropped %v; want only decision 2", r.questions, r.dropped)
	}
}

func TestALateNoteAboutAnEarlierDecisionLeavesTheOpenOne(t *testing.T) {
	s := begun(t)
	ask(t, s, 1)
	take(t, s, tooLate("m1", 1), dealEnded("m1"))
	question := ask(t, s, 2)
	if r := take(t, s, tooLate("m1", 1)); len(r.dropped) != 0 {
		t.Error("dropped the decision of the next deal")
	}
	if s.answer(question, first(question)) == nil {
		t.Error("no answer")
	}
}

func TestResultsThatAreNoFaultsAreIgnored(t *testing.T) {
	s := begun(t)
	question := ask(t, s, 1)
	for _, status := range []pb.ActionStatus{
		pb.ActionStatus_ACTION_STATUS_ACCEPTED, pb.ActionStatus_ACTION_STATUS_DUPLICATE,
		pb.ActionStatus_ACTION_STATUS_STALE, pb.ActionStatus_ACTION_STATUS_MATCH_OVER, 99,
	} {
		result := &pb.ActionResult{MatchId: "m1", DecisionId: 1, Status: status}
		r := take(t, s, &pb.Update{Update: &pb.Update_ActionResult{ActionResult: result}})
		if len(r.commands)+len(r.dropped)+len(r.notes) != 0 {
			t.Errorf("%v led to %v", status, r)
		}
	}
	if s.answer(question, first(question)) == nil {
		t.Error("no answer")
	}
}

func TestWhatALaterVersionAddsIsIgnored(t *testing.T) {
	s := begun(t)
	unknown := new(pb.Update)
	field := protowire.AppendString(protowire.AppendTag(nil, 100, protowire.BytesType), "x")
	if err := proto.Unmarshal(field, unknown); err != nil {
		t.Fatal(err)
	}
	if r := take(t, s, unknown, new(pb.Update)); len(r.commands)+len(r.questions) != 0 {
		t.Errorf("unknown updates led to %v", r)
	}
	strange := decision("m1", 1)
	asked := strange.GetDecision()
	known := len(asked.GetLegalActions())
	asked.LegalActions = append(asked.LegalActions, &pb.Action{Kind: 99})
	asked.Observation.History = []*pb.Event{{Kind: 99}}
	r := take(t, s, strange)
	if len(r.questions) != 1 || len(r.questions[0].Decision.GetLegalActions()) != known {
		t.Errorf("questions %v, want one without the unknown action", r.questions)
	}
}

func TestWhatCannotBeUnderstoodIsAnError(t *testing.T) {
	withRules := func(change func(*pb.RuleSet)) *pb.Update {
		update := offer("m2")
		change(update.GetMatchOffered().GetRules())
		return update
	}
	noActions := decision("m1", 1)
	noActions.GetDecision().LegalActions = []*pb.Action{{Kind: 99}}
	noObservation := decision("m1", 1)
	noObservation.GetDecision().Observation = nil
	noRules := offer("m2")
	noRules.GetMatchOffered().Rules = nil
	for name, test := range map[string]struct {
		update *pb.Update
		named  string
	}{
		"unknown duty":   {withRules(func(r *pb.RuleSet) { r.OpenDuty = 9 }), "open_duty has the unknown value 9"},
		"duty not set":   {withRules(func(r *pb.RuleSet) { r.ClosedDuty = 0 }), "closed_duty has the unknown value 0"},
		"unknown rank":   {withRules(func(r *pb.RuleSet) { r.Ranks[4] = 7 }), "ranks has the unknown value 7"},
		"points missing": {withRules(func(r *pb.RuleSet) { r.CardPoints = nil }), "card_points"},
		"no rules":       {noRules, "without rules"},
		"not offered":    {decision("m3", 1), `"m3"`},
		"no action":      {noActions, "no known legal action"},
		"no observation": {noObservation, "no observation"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := begun(t).take(&pb.PlayResponse{Updates: []*pb.Update{test.update}}, time.Time{})
			var problem *ProtocolError
			if !errors.As(err, &problem) || !strings.Contains(problem.Problem, test.named) {
				t.Errorf("error %v, want a *ProtocolError with %q", err, test.named)
			}
		})
	}
}
