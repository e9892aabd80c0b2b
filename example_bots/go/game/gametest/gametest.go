// Package gametest helps to test bots: cards from text, and the messages of a match without an arbiter.
package gametest

import (
	"fmt"
	"strings"

	"example.com/sixtysix-go-bot/game"
	pb "example.com/sixtysix-go-bot/gen/sixtysix/v1"
)

// Card returns the card of a text such as "TH", the ten of hearts.
func Card(text string) pb.Card {
	rank, suit := -1, -1
	if len(text) == 2 {
		rank, suit = strings.IndexByte("ATKQJ9", text[0]), strings.IndexByte("CDHS", text[1])
	}
	if rank < 0 || suit < 0 {
		panic(fmt.Sprintf("not a card: %q", text))
	}
	return game.CardOf(game.Suits[suit], pb.Rank(rank+1))
}

// Cards returns the cards of a text such as "AS TS 9H".
func Cards(text string) []pb.Card {
	var cards []pb.Card
	for word := range strings.FieldsSeq(text) {
		cards = append(cards, Card(word))
	}
	return cards
}

// Plays returns the actions that play these cards.
func Plays(cards string) []*pb.Action {
	var actions []*pb.Action
	for _, card := range Cards(cards) {
		actions = append(actions, game.Play(card))
	}
	return actions
}

// Kinds returns actions without a card or a suit.
func Kinds(kinds ...pb.ActionKind) []*pb.Action {
	var actions []*pb.Action
	for _, kind := range kinds {
		actions = append(actions, &pb.Action{Kind: kind})
	}
	return actions
}

// Marriage returns the action that declares a marriage.
func Marriage(suit pb.Suit) *pb.Action {
	return &pb.Action{Kind: pb.ActionKind_ACTION_KIND_MARRIAGE, Suit: suit}
}

// Schnapsen returns the rules of the rule set "schnapsen".
func Schnapsen() *pb.RuleSet {
	return &pb.RuleSet{
		Name: "schnapsen",
		Ranks: []pb.Rank{
			pb.Rank_RANK_ACE, pb.Rank_RANK_TEN, pb.Rank_RANK_KING, pb.Rank_RANK_QUEEN, pb.Rank_RANK_JACK,
		},
		CardPoints:          []uint32{11, 10, 4, 3, 2},
		HandSize:            5,
		Packets:             []uint32{3, 2},
		TurnUpAfter:         1,
		FirstLead:           pb.Leader_LEADER_FOREHAND,
		NextDealer:          pb.NextDealer_NEXT_DEALER_ALTERNATE,
		OpenDuty:            pb.Duty_DUTY_NONE,
		ClosedDuty:          pb.Duty_DUTY_HEAD,
		Exchange:            true,
		ExchangeMinFaceDown: 2,
		MarriageAnyLead:     true,
		MarriagePoints:      20,
		TrumpMarriagePoints: 40,
		ClaimPoints:         66,
		SchneiderPoints:     33,
		CloserMeasure:       pb.Measure_MEASURE_AT_CLAIM,
		BothOver:            pb.BothOver_BOTH_OVER_CLAIMANT,
		FalseClaim:          2,
		FalseClaimTrickless: 3,
		CloserFails:         pb.CloserFails_CLOSER_FAILS_OTHER_TRICKLESS,
		CloserBeaten:        pb.CloserBeaten_CLOSER_BEATEN_AS_FAILED_CLOSE,
		Unclaimed:           pb.Unclaimed_UNCLAIMED_LAST_TRICK,
		ClosedUnclaimed:     pb.ClosedUnclaimed_CLOSED_UNCLAIMED_FAILED,
		LastClaim:           pb.LastClaim_LAST_CLAIM_CLOSED,
		Forfeit:             2,
		Target:              7,
	}
}

// Offer returns the offer of a match in Schnapsen.
func Offer(matchID string) *pb.MatchOffered {
	return &pb.MatchOffered{MatchId: matchID, Rules: Schnapsen(), Seat: pb.Seat_SEAT_FIRST}
}

// Decision returns a decision of the first lead of a deal in Schnapsen: the jack of hearts is turned up, and the bot
// holds AC TC JS QD AH.
func Decision(matchID string, decisionID uint64) *pb.Decision {
	const hand = "AC TC JS QD AH"
	return &pb.Decision{
		MatchId:      matchID,
		DecisionId:   decisionID,
		Stage:        pb.Stage_STAGE_LEAD,
		LegalActions: append(Plays(hand), Kinds(pb.ActionKind_ACTION_KIND_CLOSE, pb.ActionKind_ACTION_KIND_CLAIM)...),
		Clock:        &pb.Clock{CapUs: 60_000_000, BankUs: 60_000_000, OpponentBankUs: 60_000_000},
		Observation: &pb.Observation{
			Seat:       pb.Seat_SEAT_FIRST,
			DealNumber: 1,
			Dealer:     pb.Seat_SEAT_SECOND,
			Leader:     pb.Seat_SEAT_FIRST,
			Hand:       Cards(hand),
			Trump:      pb.Suit_SUIT_HEARTS,
			TurnUp:     Card("JH"),
			TalonCount: 9,
		},
	}
}
