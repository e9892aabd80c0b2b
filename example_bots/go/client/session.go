package client

import (
	"fmt"
	"slices"
	"time"

	pb "example.com/sixtysix-go-bot/gen/sixtysix/v1"
)

// Question is a decision to be made. It is shared and must not be changed.
type Question struct {
	// Offer has the rules of the match, the seat and the time control.
	Offer *pb.MatchOffered
	// Decision has all that the seat may know, and the legal actions that this version of the protocol has.
	Decision *pb.Decision
	// Arrived is when the decision came; the clock has been running since.
	Arrived time.Time
}

// ProtocolError says that the arbiter has sent what this client cannot understand, and must in order to play.
type ProtocolError struct {
	Problem string
}

func (e *ProtocolError) Error() string {
	return "the arbiter cannot be understood: " + e.Problem
}

// session follows the protocol from updates to commands, without input or output, over as many streams as it takes.
// What has to be thought about is handed out as a Question; its answer is given back whenever it is found.
type session struct {
	introduction *pb.Hello
	welcomed     bool // on the present stream
	matches      map[string]*match
}

// match is a live match.
type match struct {
	offer    *pb.MatchOffered
	open     *Question // nil while nothing is asked
	answered uint64    // the last decision that was answered
	answer   *pb.Command
}

// reaction is what follows from a message of the arbiter.
type reaction struct {
	commands  []*pb.Command
	questions []*Question
	dropped   []*Question // no answer is wanted any more
	notes     []string    // for the log
}

func newSession(introduction *pb.Hello) *session {
	return &session{introduction: introduction, matches: make(map[string]*match)}
}

// begin returns the first command of a new stream.
func (s *session) begin() *pb.Command {
	s.welcomed = false
	return &pb.Command{Command: &pb.Command_Hello{Hello: s.introduction}}
}

// take follows a message. Its errors are of the type *ProtocolError.
func (s *session) take(message *pb.PlayResponse, arrived time.Time) (reaction, error) {
	var r reaction
	for _, update := range message.GetUpdates() {
		if err := s.update(&r, update, arrived); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (s *session) update(r *reaction, update *pb.Update, arrived time.Time) error {
	switch update := update.GetUpdate().(type) {
	case *pb.Update_Ping:
		pong := &pb.Pong{Nonce: update.Ping.GetNonce()}
		r.commands = append(r.commands, &pb.Command{Command: &pb.Command_Pong{Pong: pong}})
	case *pb.Update_Welcome:
		s.welcome(r, update.Welcome)
	case *pb.Update_MatchOffered:
		return s.offered(r, update.MatchOffered)
	case *pb.Update_Decision:
		return s.decision(r, update.Decision, arrived)
	case *pb.Update_ActionResult:
		s.result(r, update.ActionResult)
	case *pb.Update_DealEnded:
		s.drop(r, s.matches[update.DealEnded.GetMatchId()])
	case *pb.Update_MatchEnded:
		s.forget(r, update.MatchEnded.GetMatchId())
	case *pb.Update_Draining:
		r.notes = append(r.notes, "the arbiter shuts down; matches that run go on")
	case *pb.Update_Error:
		r.notes = append(r.notes, "a command was dropped: "+update.Error.GetMessage())
	default: // deal_started and event repeat what observations hold; others come from a later version
	}
	return nil
}

func (s *session) welcome(r *reaction, welcome *pb.Welcome) {
	s.welcomed = true
	s.introduction.ResumeSessionId = welcome.GetSessionId()
	if !welcome.GetResumed() {
		for id := range s.matches {
			s.forget(r, id)
		}
	}
	r.notes = append(r.notes, "connected as "+welcome.GetBotName())
}

func (s *session) offered(r *reaction, offer *pb.MatchOffered) error {
	id := offer.GetMatchId()
	if s.matches[id] == nil {
		if err := CheckRules(offer.GetRules()); err != nil {
			return err
		}
		s.matches[id] = &match{offer: offer}
	}
	ready := &pb.Ready{MatchId: id}
	r.commands = append(r.commands, &pb.Command{Command: &pb.Command_Ready{Ready: ready}})
	return nil
}

func (s *session) decision(r *reaction, decision *pb.Decision, arrived time.Time) error {
	match := s.matches[decision.GetMatchId()]
	if match == nil {
		return &ProtocolError{fmt.Sprintf("a decision of match %q, which was not offered", decision.GetMatchId())}
	}
	// A decision that comes again after a lost connection is thought about only once.
	if match.open != nil && match.open.Decision.GetDecisionId() == decision.GetDecisionId() {
		return nil
	}
	if match.answer != nil && match.answered == decision.GetDecisionId() {
		r.commands = append(r.commands, match.answer)
		return nil
	}
	decision.LegalActions = slices.DeleteFunc(decision.GetLegalActions(), func(action *pb.Action) bool {
		_, known := pb.ActionKind_name[int32(action.GetKind())]
		return !known
	})
	if len(decision.GetLegalActions()) == 0 || decision.GetObservation() == nil {
		problem := "decision %d of match %q has no observation or no known legal action"
		return &ProtocolError{fmt.Sprintf(problem, decision.GetDecisionId(), decision.GetMatchId())}
	}
	s.drop(r, match)
	match.open = &Question{Offer: match.offer, Decision: decision, Arrived: arrived}
	r.questions = append(r.questions, match.open)
	return nil
}

func (s *session) result(r *reaction, result *pb.ActionResult) {
	switch result.GetStatus() {
	case pb.ActionStatus_ACTION_STATUS_TOO_LATE:
		match := s.matches[result.GetMatchId()]
		// It may be about an earlier decision, after an answer that came too late.
		if match != nil && match.open != nil && match.open.Decision.GetDecisionId() == result.GetDecisionId() {
			s.drop(r, match)
		}
	case pb.ActionStatus_ACTION_STATUS_ILLEGAL, pb.ActionStatus_ACTION_STATUS_MALFORMED:
	default:
		return
	}
	r.notes = append(r.notes, fmt.Sprintf("match %s, decision %d: %v %s %s", result.GetMatchId(),
		result.GetDecisionId(), result.GetStatus(), result.GetMessage(), result.GetConsequence()))
}

// answer returns the command that answers a question, or nil if no answer is wanted any more.
func (s *session) answer(question *Question, action *pb.Action) *pb.Command {
	match := s.matches[question.Decision.GetMatchId()]
	if match == nil || match.open != question {
		return nil
	}
	match.open = nil
	match.answered = question.Decision.GetDecisionId()
	match.answer = &pb.Command{Command: &pb.Command_Action{Action: &pb.ActionCommand{
		MatchId:    question.Decision.GetMatchId(),
		DecisionId: question.Decision.GetDecisionId(),
		Action:     action,
	}}}
	return match.answer
}

// drop ends the open question of a match, if there is one.
func (s *session) drop(r *reaction, match *match) {
	if match == nil || match.open == nil {
		return
	}
	// What came and went in one message is not thought about at all.
	if place := slices.Index(r.questions, match.open); place >= 0 {
		r.questions = slices.Delete(r.questions, place, place+1)
	} else {
		r.dropped = append(r.dropped, match.open)
	}
	match.open = nil
}

func (s *session) forget(r *reaction, matchID string) {
	s.drop(r, s.matches[matchID])
	delete(s.matches, matchID)
}
