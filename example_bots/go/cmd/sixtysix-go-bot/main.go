// Command sixtysix-go-bot plays in a tournament: it connects to the arbiter that SIXTYSIX_ADDRESS names. Exit status:
// 0 when the tournament is over, 1 on a failure, 2 on wrong arguments, 3 after SIGINT or SIGTERM.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"

	"example.com/sixtysix-go-bot/client"
	"example.com/sixtysix-go-bot/greedy"
)

const (
	failed         = 1
	wrongArguments = 2
	interrupted    = 3
)

// bot plays many matches at once: a decision takes some microseconds.
var bot = client.Bot{Name: "go", Version: "1.0.0", Matches: 64, AskBeforeDraw: true}

func main() {
	os.Exit(run())
}

func run() int {
	if len(os.Args) > 1 {
		fmt.Fprintf(os.Stderr, "usage: %s\n", os.Args[0])
		return wrongArguments
	}
	logger := log.New(os.Stderr, "", 0)
	settings, err := client.SettingsFromEnvironment()
	if err != nil {
		logger.Printf("error: %v", err)
		return failed
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err = client.Run(ctx, settings, bot, greedy.Choose, logger)
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		logger.Print("interrupted")
		return interrupted
	default:
		logger.Printf("error: %v", err)
		return failed
	}
}
