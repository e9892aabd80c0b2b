// Package client is the way to the arbiter: it connects, says hello, answers pings while the bot thinks, resumes after
// a lost connection, and asks the bot for its decisions.
package client

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"runtime"
	"time"

	pb "example.com/sixtysix-go-bot/gen/sixtysix/v1"
)

const (
	protocolMajor = 1
	protocolMinor = 0
	sdk           = "example client in Go"

	// firstDelay is the wait before the first attempt to connect again; each further one waits twice as long.
	firstDelay   = 100 * time.Millisecond
	longestDelay = 5 * time.Second
	// giveUp is the time without a connection after which the bot gives up.
	giveUp = time.Minute
	// leaveTime is the most that the arbiter gets to end the stream after leave.
	leaveTime = 2 * time.Second
)

// Choose answers a question with one of its legal actions. It is called in a goroutine of its own for each open
// question. The context ends when the time of the decision is over or no answer is wanted any more; an error after
// that is ignored, and any other one makes the bot leave.
type Choose func(ctx context.Context, question *Question) (*pb.Action, error)

// Bot says how a bot presents itself.
type Bot struct {
	Name    string // for logs; the environment may give another one
	Version string
	Author  string
	// RuleSets are the names of the rule sets that it plays; none: any, it goes by the fields of the rule set.
	RuleSets []string
	// Matches is how many it plays at the same time, 1 or more.
	Matches int
	// AskBeforeDraw: it wants to close or claim before drawing, where the rules allow it.
	AskBeforeDraw bool
}

// UnreachableError says that there was no connection for too long.
type UnreachableError struct {
	Address string
	End     *StreamEnd // of the last attempt
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("no connection to %s for %v: %v", e.Address, giveUp, e.End)
}

func (e *UnreachableError) Unwrap() error { return e.End }

// RefusedError says that the arbiter has ended the connection for good.
type RefusedError struct {
	Address string
	End     *StreamEnd
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s ended the connection: %v", e.Address, e.End)
}

func (e *RefusedError) Unwrap() error { return e.End }

// Run plays until the tournament is over, and then returns nil. When the context ends, the bot leaves and Run returns
// its error. Other errors are *RefusedError, *UnreachableError, *ProtocolError and *ChooseError.
func Run(ctx context.Context, settings Settings, bot Bot, choose Choose, logger *log.Logger) error {
	// Whoever still thinks when the last stream has ended is told to stop.
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	player := newPlayer(settings, bot, choose, logger)
	alone := time.Now()
	attempts := 0
	for {
		end, err := player.follow(ctx)
		switch {
		case err != nil:
			return err
		case end.isOver():
			return nil
		case !end.isLost():
			return &RefusedError{settings.Address, end}
		}
		if player.session.welcomed {
			alone = time.Now()
			attempts = 0
		}
		if time.Since(alone) >= giveUp {
			return &UnreachableError{settings.Address, end}
		}
		if attempts == 0 {
			logger.Printf("no connection to %s (%v), trying for %v", settings.Address, end, giveUp)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(delay(attempts, rand.Float64())):
		}
		attempts++
	}
}

// delay returns the wait after so many attempts in vain. The random part, from 0 to 1, keeps many bots from coming
// back at the same moment.
func delay(attempts int, random float64) time.Duration {
	longest := firstDelay
	for range attempts {
		longest = min(2*longest, longestDelay)
	}
	return time.Duration(float64(longest) * (1 + random) / 2)
}

func hello(settings Settings, bot Bot) *pb.Hello {
	name := settings.Name
	if name == "" {
		name = bot.Name
	}
	matches := uint32(max(1, bot.Matches))
	return &pb.Hello{
		ProtocolMajor:          protocolMajor,
		ProtocolMinor:          protocolMinor,
		BotName:                name,
		BotVersion:             bot.Version,
		Author:                 bot.Author,
		Sdk:                    sdk,
		Language:               runtime.Version(),
		RuleSets:               bot.RuleSets,
		MaxConcurrentMatches:   matches,
		MaxDecisionsPerMessage: matches,
		AskBeforeDraw:          bot.AskBeforeDraw,
	}
}
