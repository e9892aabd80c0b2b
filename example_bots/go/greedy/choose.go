// Package greedy plays by the textbook tips and does not look ahead: count and claim, exchange at once, declare
// marriages, close when the top trumps are enough, win cheaply, throw away the least.
package greedy

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"example.com/sixtysix-go-bot/client"
	"example.com/sixtysix-go-bot/game"
	pb "example.com/sixtysix-go-bot/gen/sixtysix/v1"
)

const (
	// worthATrump is the least that a card led must count for a trump to be spent on it.
	worthATrump = 10
	// usualLoss is what the other player adds to a trick that is lost, as a rule.
	usualLoss = 3
	// trumpBonus, marriageBonus and trumpMarriageBonus say how much more than its points a card is missed.
	trumpBonus         = 25
	marriageBonus      = 20
	trumpMarriageBonus = 40
	// cardWorth is what each card of a suit adds to it as trump, besides its points.
	cardWorth = 10
)

var errNoAction = errors.New("no legal action but a false claim")

// Choose returns one of the legal actions of a decision.
func Choose(_ context.Context, question *client.Question) (*pb.Action, error) {
	if legal := question.Decision.GetLegalActions(); len(legal) == 1 {
		return legal[0], nil
	}
	t := table{game.NewView(question.Offer.GetRules(), question.Decision)}
	if action := t.choose(); action != nil {
		return action, nil
	}
	return nil, errNoAction
}

// table is the view of one decision, and what this bot thinks of it.
type table struct {
	*game.View
}

// choose returns nil if every action would be a mistake by the rules of the bot, which no rule set leads to.
func (t table) choose() *pb.Action {
	if claim := t.Claim(); claim != nil {
		return claim
	}
	if exchange := t.Find(pb.ActionKind_ACTION_KIND_EXCHANGE); exchange != nil {
		return exchange
	}
	if announcement := t.announcement(); announcement != nil {
		return announcement
	}
	cards := t.Playable()
	switch {
	case len(cards) == 0:
		return t.wait()
	case t.Stage == pb.Stage_STAGE_FOLLOW:
		return game.Play(t.follow(cards))
	default:
		return game.Play(t.lead(cards))
	}
}

// wait returns the action of a stage without cards that changes nothing.
func (t table) wait() *pb.Action {
	if draw := t.Find(pb.ActionKind_ACTION_KIND_DRAW); draw != nil {
		return draw
	}
	return t.Find(pb.ActionKind_ACTION_KIND_PASS)
}

// announcement returns what to do before leading a card, or nil.
func (t table) announcement() *pb.Action {
	if t.Stage != pb.Stage_STAGE_LEAD {
		return nil
	}
	if marriage := t.FindSuit(pb.ActionKind_ACTION_KIND_MARRIAGE, t.GetTrump()); marriage != nil {
		return marriage
	}
	if marriage := t.Find(pb.ActionKind_ACTION_KIND_MARRIAGE); marriage != nil {
		return marriage
	}
	best := slices.MaxFunc(game.Suits, func(a, b pb.Suit) int { return cmp.Compare(t.suitWorth(a), t.suitWorth(b)) })
	if t.suitWorth(best) > t.suitWorth(t.GetTrump()) {
		if change := t.FindSuit(pb.ActionKind_ACTION_KIND_TRUMP, best); change != nil {
			return change
		}
	}
	if t.topTrumpsAreEnough() {
		return t.Find(pb.ActionKind_ACTION_KIND_CLOSE)
	}
	return nil
}

// lead returns a sure winner where suit must be followed, otherwise the card that is missed least.
func (t table) lead(cards []pb.Card) pb.Card {
	if !t.TalonOpen() {
		if winners := filter(cards, t.WouldWin); len(winners) > 0 {
			return slices.MaxFunc(winners, t.byPoints)
		}
	}
	return slices.MinFunc(cards, t.byKeepValue)
}

// follow wins with the plain suit if possible, with a trump if it pays, and otherwise throws away the least.
func (t table) follow(cards []pb.Card) pb.Card {
	led := t.GetLedCard()
	winners := filter(cards, t.WouldWin)
	cheap := filter(winners, func(card pb.Card) bool {
		return game.SuitOf(card) == game.SuitOf(led) && !t.InMarriage(card)
	})
	switch {
	case len(cheap) > 0 && t.IsTrump(led):
		return slices.MinFunc(cheap, t.byPoints)
	case len(cheap) > 0:
		return slices.MaxFunc(cheap, t.byPoints)
	case len(winners) == len(cards), len(winners) > 0 && t.Points(led) >= worthATrump:
		return slices.MinFunc(winners, t.byKeepValue)
	}
	losers := filter(cards, func(card pb.Card) bool { return !t.WouldWin(card) })
	return slices.MinFunc(losers, t.byKeepValue)
}

// keepValue says how much a card would be missed.
func (t table) keepValue(card pb.Card) int {
	value := 2 * t.Points(card)
	if t.IsTrump(card) {
		value += trumpBonus
	}
	switch {
	case t.InMarriage(card) && t.IsTrump(card):
		value += trumpMarriageBonus
	case t.InMarriage(card):
		value += marriageBonus
	}
	return value
}

func (t table) byKeepValue(a, b pb.Card) int {
	return cmp.Compare(t.keepValue(a), t.keepValue(b))
}

func (t table) byPoints(a, b pb.Card) int {
	return cmp.Compare(t.Points(a), t.Points(b))
}

// topTrumpsAreEnough reports whether the own trumps that nothing beats make a claim correct.
func (t table) topTrumpsAreEnough() bool {
	against := filter(t.Against(), t.IsTrump)
	points := 0
	for _, card := range t.GetHand() {
		isBeaten := slices.ContainsFunc(against, func(other pb.Card) bool { return t.Stronger(other, card) })
		if t.IsTrump(card) && !isBeaten {
			points += t.Points(card) + usualLoss
		}
	}
	return points >= t.PointsNeeded()
}

// suitWorth says how good a suit is as trump.
func (t table) suitWorth(suit pb.Suit) int {
	worth := 0
	for _, card := range t.GetHand() {
		if game.SuitOf(card) == suit {
			worth += cardWorth + t.Points(card)
		}
	}
	return worth
}

func filter(cards []pb.Card, keep func(pb.Card) bool) []pb.Card {
	var kept []pb.Card
	for _, card := range cards {
		if keep(card) {
			kept = append(kept, card)
		}
	}
	return kept
}
