// Command my_bot plays Sixty-Six and Schnapsen in a tournament: it connects to the arbiter that SIXTYSIX_ADDRESS names.
// Exit status: 0 when the tournament is over, 1 on a failure, 3 after SIGINT or SIGTERM.
package main

import (
	"context"
	"log"
	"os"
	"os/signal"
	"syscall"

	"example.com/my_bot/client"
)

const (
	failed      = 1
	interrupted = 3
)

// bot introduces the bot. It plays so many matches at the same time; each open decision has a goroutine of its own.
var bot = client.Bot{Name: "my_bot", Version: "0.1.0", Matches: 4, AskBeforeDraw: true}

func main() {
	os.Exit(run())
}

func run() int {
	logger := log.New(os.Stderr, "", 0)
	settings, err := client.SettingsFromEnvironment()
	if err != nil {
		logger.Printf("error: %v", err)
		return failed
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err = client.Run(ctx, settings, bot, Choose, logger)
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		return interrupted
	default:
		logger.Printf("error: %v", err)
		return failed
	}
}
