package client

import (
	"context"
	"fmt"
	"log"
	"runtime/debug"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	pb "example.com/sixtysix-go-bot/gen/sixtysix/v1"
)

// longestDecision bounds the time of a decision, so that it can be counted in nanoseconds.
const longestDecision = 365 * 24 * time.Hour

// ChooseError says that the bot itself has failed.
type ChooseError struct {
	Err error
}

func (e *ChooseError) Error() string {
	return fmt.Sprintf("the bot failed to choose: %v", e.Err)
}

func (e *ChooseError) Unwrap() error { return e.Err }

// player moves messages between streams, the session and the goroutines that think. One goroutine runs it, and alone
// writes; another one reads the present stream.
type player struct {
	settings Settings
	choose   Choose
	log      *log.Logger
	session  *session
	thinking map[*Question]context.CancelFunc
	thoughts chan thought
}

// thought is what a goroutine that has thought about a question brings back.
type thought struct {
	question *Question
	action   *pb.Action // nil if there is none, because the time was over or the bot has failed
	err      error
}

// arrival is a message, or the error that ended the stream.
type arrival struct {
	message *pb.PlayResponse
	err     error
	at      time.Time
}

func newPlayer(settings Settings, bot Bot, choose Choose, logger *log.Logger) *player {
	return &player{
		settings: settings,
		choose:   choose,
		log:      logger,
		session:  newSession(hello(settings, bot)),
		thinking: make(map[*Question]context.CancelFunc),
		thoughts: make(chan thought),
	}
}

// follow plays on one stream until it ends. An error means that the bot is not to go on.
func (p *player) follow(ctx context.Context) (*StreamEnd, error) {
	connection, err := connect(p.settings)
	if err != nil {
		return nil, err
	}
	defer func() { _ = connection.Close() }()
	// The stream outlives the context: there is something to say before it ends.
	streamCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()

	begin := p.session.begin()
	giveUpOpening := context.AfterFunc(ctx, cancel)
	stream, err := play(streamCtx, connection, p.settings.Token)
	if !giveUpOpening() {
		return nil, ctx.Err()
	}
	if err != nil {
		return streamEnd(err), nil
	}
	write(stream, begin)
	arrivals := make(chan arrival)
	go read(stream, arrivals)

	breakOff := func() { time.AfterFunc(leaveTime, cancel) }
	// Also while a write waits for an arbiter that does not read.
	defer context.AfterFunc(ctx, breakOff)()
	for {
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case result := <-p.thoughts:
			err = p.answer(stream, result)
		case next := <-arrivals:
			if next.err != nil {
				return streamEnd(next.err), nil
			}
			err = p.take(ctx, stream, next)
		}
		if err != nil {
			breakOff()
			p.leave(ctx, stream, cancel, err)
			for range arrivals { // up to the end of the stream
			}
			return nil, err
		}
	}
}

// read hands on what comes, up to the error that ends the stream.
func read(stream playStream, arrivals chan<- arrival) {
	defer close(arrivals)
	for {
		message, err := stream.Recv()
		arrivals <- arrival{message, err, time.Now()}
		if err != nil {
			return
		}
	}
}

// write sends commands in one message. A stream that breaks off meanwhile says so to its reader; what is not sent is
// not missed, since the arbiter repeats offers and open decisions on the next stream.
func write(stream playStream, commands ...*pb.Command) {
	if len(commands) > 0 {
		_ = stream.Send(&pb.PlayRequest{Commands: commands})
	}
}

func (p *player) take(ctx context.Context, stream playStream, next arrival) error {
	reaction, err := p.session.take(next.message, next.at)
	for _, note := range reaction.notes {
		p.log.Print(note)
	}
	for _, question := range reaction.dropped {
		p.stopThinking(question)
	}
	if err != nil {
		return err
	}
	write(stream, reaction.commands...)
	for _, question := range reaction.questions {
		p.think(ctx, question)
	}
	return nil
}

func (p *player) think(ctx context.Context, question *Question) {
	limit := longestDecision
	if us := question.Decision.GetClock().GetCapUs(); us < uint64(limit/time.Microsecond) {
		limit = time.Duration(us) * time.Microsecond
	}
	thinkCtx, cancel := context.WithDeadline(ctx, question.Arrived.Add(limit))
	p.thinking[question] = cancel
	go func() {
		action, err := p.ask(thinkCtx, question)
		if thinkCtx.Err() != nil {
			err = nil
		}
		select {
		case p.thoughts <- thought{question, action, err}:
		case <-ctx.Done():
		}
	}()
}

// ask lets the bot choose, and makes an error of whatever is wrong with its answer.
func (p *player) ask(ctx context.Context, question *Question) (action *pb.Action, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			p.log.Printf("%s", debug.Stack())
			action, err = nil, fmt.Errorf("panic: %v", problem)
		}
	}()
	action, err = p.choose(ctx, question)
	if err != nil {
		return nil, err
	}
	isChosen := func(legal *pb.Action) bool { return proto.Equal(legal, action) }
	if !slices.ContainsFunc(question.Decision.GetLegalActions(), isChosen) {
		return nil, fmt.Errorf("not a legal action: {%v}", action)
	}
	return action, nil
}

func (p *player) answer(stream playStream, result thought) error {
	if !p.stopThinking(result.question) {
		return nil
	}
	if result.err != nil {
		return &ChooseError{result.err}
	}
	if result.action == nil {
		return nil
	}
	command := p.session.answer(result.question, result.action)
	// Before the welcome of a new stream nothing may be sent: the decision will come again, and with it the answer.
	if command != nil && p.session.welcomed {
		write(stream, command)
	}
	return nil
}

// stopThinking ends the context of a question; false if its answer is not wanted any more.
func (p *player) stopThinking(question *Question) bool {
	cancel, ok := p.thinking[question]
	if ok {
		cancel()
		delete(p.thinking, question)
	}
	return ok
}

// leave says good-bye, or breaks off what has not begun.
func (p *player) leave(ctx context.Context, stream playStream, cancel context.CancelFunc, err error) {
	if !p.session.welcomed {
		cancel()
		return
	}
	reason := err.Error()
	if ctx.Err() != nil {
		reason = "interrupted"
	}
	write(stream, &pb.Command{Command: &pb.Command_Leave{Leave: &pb.Leave{Reason: reason}}})
}
