package client

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	pb "example.com/sixtysix-go-bot/gen/sixtysix/v1"
)

const (
	token       = "secret"
	longestTest = 10 * time.Second
)

// arbiter is the other end of the streams, played by a test: the first stream is given to the first script, and so on.
type arbiter struct {
	pb.UnimplementedBotServiceServer
	t       *testing.T
	scripts chan func(*arbiterStream) error
}

// arbiterStream is one stream, as the arbiter has it.
type arbiterStream struct {
	grpc.BidiStreamingServer[pb.PlayRequest, pb.PlayResponse]
	t       *testing.T
	waiting []*pb.Command
}

func (a *arbiter) Play(stream grpc.BidiStreamingServer[pb.PlayRequest, pb.PlayResponse]) error {
	received, _ := metadata.FromIncomingContext(stream.Context())
	if got := strings.Join(received.Get("authorization"), " "); got != "Bearer "+token {
		a.t.Errorf("authorization %q", got)
	}
	select {
	case script := <-a.scripts:
		return script(&arbiterStream{BidiStreamingServer: stream, t: a.t})
	default:
		a.t.Error("one connection more than expected")
		return refusal(a.t, codes.Aborted, "REPLACED_BY_NEWER_CONNECTION")
	}
}

// send puts updates into one message.
func (stream *arbiterStream) send(updates ...*pb.Update) {
	if err := stream.Send(&pb.PlayResponse{Updates: updates}); err != nil {
		stream.t.Error(err)
	}
}

// next returns the next command, or an empty one at the end of the stream.
func (stream *arbiterStream) next() *pb.Command {
	for len(stream.waiting) == 0 {
		request, err := stream.Recv()
		if err != nil {
			stream.t.Errorf("a command is missing: %v", err)
			return &pb.Command{}
		}
		stream.waiting = request.GetCommands()
	}
	command := stream.waiting[0]
	stream.waiting = stream.waiting[1:]
	return command
}

// begin follows the bot from its hello to a decision of the match m1.
func (stream *arbiterStream) begin(sessionID string, resumed bool) *pb.Hello {
	hello := stream.next().GetHello()
	stream.send(welcome(sessionID, resumed), offer("m1"), decision("m1", 1))
	if id := stream.next().GetReady().GetMatchId(); id != "m1" {
		stream.t.Errorf("ready for %q, want m1", id)
	}
	return hello
}

// expectAction reads an answer to a decision of m1.
func (stream *arbiterStream) expectAction(decisionID uint64) *pb.ActionCommand {
	action := stream.next().GetAction()
	if action.GetMatchId() != "m1" || action.GetDecisionId() != decisionID {
		stream.t.Errorf("action %v, want one for decision %d of m1", action, decisionID)
	}
	return action
}

// expectLeave reads the farewell of a bot.
func (stream *arbiterStream) expectLeave() string {
	command := stream.next()
	if command.GetLeave() == nil {
		stream.t.Errorf("%v, want leave", command)
	}
	return command.GetLeave().GetReason()
}

// run plays against an arbiter with a script for each stream.
func run(ctx context.Context, t *testing.T, choose Choose, scripts ...func(*arbiterStream) error) error {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	played := &arbiter{t: t, scripts: make(chan func(*arbiterStream) error, len(scripts))}
	for _, script := range scripts {
		played.scripts <- script
	}
	server := grpc.NewServer()
	pb.RegisterBotServiceServer(server, played)
	go func() { _ = server.Serve(listener) }()
	defer server.Stop()
	// A script that waits in vain fails the test, rather than to hold it up.
	ctx, cancel := context.WithTimeout(ctx, longestTest)
	defer cancel()
	settings := Settings{Address: listener.Addr().String(), Token: token}
	err = Run(ctx, settings, Bot{Name: "test", Matches: 2}, choose, log.New(io.Discard, "", 0))
	if left := len(played.scripts); left > 0 {
		t.Errorf("%d connections fewer than expected", left)
	}
	return err
}

func chooseFirst(_ context.Context, question *Question) (*pb.Action, error) {
	return first(question), nil
}

func TestItPlaysUntilTheTournamentIsOver(t *testing.T) {
	err := run(t.Context(), t, chooseFirst, func(stream *arbiterStream) error {
		hello := stream.begin("s1", false)
		want := &pb.Hello{ProtocolMajor: 1, BotName: "test", MaxConcurrentMatches: 2, MaxDecisionsPerMessage: 2}
		want.Sdk, want.Language = hello.GetSdk(), hello.GetLanguage()
		if !proto.Equal(hello, want) {
			t.Errorf("hello %v, want %v", hello, want)
		}
		stream.expectAction(1)
		stream.send(decision("m1", 2))
		stream.expectAction(2)
		stream.send(matchEnded("m1"))
		return nil
	})
	if err != nil {
		t.Errorf("error %v at the end of the tournament", err)
	}
}

func TestItAnswersPingsWhileItThinks(t *testing.T) {
	answered := make(chan struct{})
	choose := func(ctx context.Context, question *Question) (*pb.Action, error) {
		select {
		case <-answered:
			return first(question), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	err := run(t.Context(), t, choose, func(stream *arbiterStream) error {
		stream.begin("s1", false)
		stream.send(&pb.Update{Update: &pb.Update_Ping{Ping: &pb.Ping{Nonce: 7}}})
		if command := stream.next(); command.GetPong().GetNonce() != 7 {
			t.Errorf("%v, want a pong of 7", command)
		}
		close(answered)
		stream.expectAction(1)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestItResumesAfterALostConnection(t *testing.T) {
	asked := 0
	choose := func(ctx context.Context, question *Question) (*pb.Action, error) {
		asked++
		return chooseFirst(ctx, question)
	}
	var lost, again *pb.ActionCommand
	err := run(t.Context(), t, choose,
		func(stream *arbiterStream) error {
			stream.begin("s1", false)
			lost = stream.expectAction(1)
			return refusal(t, codes.Unavailable, "HEARTBEAT_MISSED")
		},
		func(stream *arbiterStream) error {
			if id := stream.begin("s1", true).GetResumeSessionId(); id != "s1" {
				t.Errorf("resumes %q, want s1", id)
			}
			again = stream.expectAction(1)
			return nil
		})
	if err != nil {
		t.Error(err)
	}
	if !proto.Equal(lost, again) || asked != 1 {
		t.Errorf("answers %v and %v after %d questions, want the same after one", lost, again, asked)
	}
}

func TestItStopsThinkingWhenNoAnswerIsWanted(t *testing.T) {
	started := make(chan struct{})
	choose := func(ctx context.Context, question *Question) (*pb.Action, error) {
		if question.Decision.GetDecisionId() > 1 {
			return first(question), nil
		}
		close(started)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	err := run(t.Context(), t, choose, func(stream *arbiterStream) error {
		stream.begin("s1", false)
		<-started
		stream.send(tooLate("m1", 1), dealEnded("m1"), decision("m1", 2))
		stream.expectAction(2)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestABotThatStopsInTimeHasNotFailed(t *testing.T) {
	choose := func(ctx context.Context, _ *Question) (*pb.Action, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	p := newPlayer(Settings{}, Bot{}, choose, log.New(io.Discard, "", 0))
	question := ask(t, begun(t), 1)
	question.Arrived = time.Now()
	question.Decision.Clock.CapUs = 1
	p.think(t.Context(), question)
	if result := <-p.thoughts; result.action != nil || result.err != nil {
		t.Errorf("%v, %v after the time of the decision; want neither", result.action, result.err)
	}
}

func TestItLeavesWhenItIsInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	choose := func(ctx context.Context, _ *Question) (*pb.Action, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	var reason string
	err := run(ctx, t, choose, func(stream *arbiterStream) error {
		stream.begin("s1", false)
		interrupt()
		reason = stream.expectLeave()
		return nil
	})
	if !errors.Is(err, context.Canceled) || reason != "interrupted" {
		t.Errorf("error %v after leave with %q", err, reason)
	}
}

func TestItLeavesWhenTheBotFails(t *testing.T) {
	for name, test := range map[string]struct {
		choose Choose
		named  string
	}{
		"error": {
			func(context.Context, *Question) (*pb.Action, error) { return nil, errors.New("no idea") },
			"no idea",
		},
		"panic": {
			func(context.Context, *Question) (*pb.Action, error) { panic("out of cards") },
			"out of cards",
		},
		"illegal": {
			func(context.Context, *Question) (*pb.Action, error) {
				return &pb.Action{Kind: pb.ActionKind_ACTION_KIND_PASS}, nil
			},
			"not a legal action",
		},
	} {
		t.Run(name, func(t *testing.T) {
			err := run(t.Context(), t, test.choose, func(stream *arbiterStream) error {
				stream.begin("s1", false)
				stream.expectLeave()
				return nil
			})
			var failure *ChooseError
			if !errors.As(err, &failure) || !strings.Contains(failure.Error(), test.named) {
				t.Errorf("error %v, want a *ChooseError with %q", err, test.named)
			}
		})
	}
}

func TestItLeavesWhenTheRulesAreUnknown(t *testing.T) {
	strange := offer("m1")
	strange.GetMatchOffered().GetRules().OpenDuty = 9
	err := run(t.Context(), t, chooseFirst, func(stream *arbiterStream) error {
		stream.next()
		stream.send(welcome("s1", false), strange)
		stream.expectLeave()
		return nil
	})
	var problem *ProtocolError
	if !errors.As(err, &problem) {
		t.Errorf("error %v, want a *ProtocolError", err)
	}
}

func TestItDoesNotComeBackWhenItIsRefused(t *testing.T) {
	err := run(t.Context(), t, chooseFirst, func(*arbiterStream) error {
		return refusal(t, codes.Unauthenticated, "TOKEN_UNKNOWN")
	})
	var refused *RefusedError
	if !errors.As(err, &refused) || refused.End.Reason != "TOKEN_UNKNOWN" {
		t.Errorf("error %v, want a *RefusedError with TOKEN_UNKNOWN", err)
	}
}

func TestTheWaitGrowsToSomeSeconds(t *testing.T) {
	for attempts, want := range []time.Duration{
		100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond, 800 * time.Millisecond,
		1600 * time.Millisecond, 3200 * time.Millisecond, 5 * time.Second, 5 * time.Second,
	} {
		if most, least := delay(attempts, 1), delay(attempts, 0); most != want || least != want/2 {
			t.Errorf("after %d attempts from %v to %v, want %v to %v", attempts, least, most, want/2, want)
		}
	}
}
