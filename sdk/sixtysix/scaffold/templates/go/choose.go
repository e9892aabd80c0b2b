package main

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"example.com/my_bot/client"
	"example.com/my_bot/game"
	pb "example.com/my_bot/gen/sixtysix/v1"
)

var errNoAction = errors.New("no legal action but a false claim")

// Choose returns one of the legal actions: claims, exchanges and declares what it can, and otherwise plays the cheapest
// card that wins, or the cheapest of all. The part to make better: question has all that the bot may know, and the
// context says when the time is over.
func Choose(_ context.Context, question *client.Question) (*pb.Action, error) {
	view := game.NewView(question.Offer.GetRules(), question.Decision)
	if claim := view.Claim(); claim != nil {
		return claim, nil
	}
	for _, kind := range []pb.ActionKind{
		pb.ActionKind_ACTION_KIND_EXCHANGE,
		pb.ActionKind_ACTION_KIND_MARRIAGE,
		pb.ActionKind_ACTION_KIND_DRAW,
		pb.ActionKind_ACTION_KIND_PASS,
	} {
		if action := view.Find(kind); action != nil {
			return action, nil
		}
	}
	cards := view.Playable()
	if len(cards) == 0 {
		return nil, errNoAction
	}
	winners := slices.DeleteFunc(slices.Clone(cards), func(card pb.Card) bool { return !view.WouldWin(card) })
	if len(winners) > 0 {
		cards = winners
	}
	byPoints := func(a, b pb.Card) int { return cmp.Compare(view.Points(a), view.Points(b)) }
	return game.Play(slices.MinFunc(cards, byPoints)), nil
}
