// Package game answers what a bot wants to know about a decision: what cards count, which one takes a trick, what is
// hidden. It goes by the values of the RuleSet message; no rule set is known by its name.
package game

import (
	pb "example.com/sixtysix-go-bot/gen/sixtysix/v1"
)

const ranksPerSuit = 6

// Suits lists all suits, in the order of the protocol.
var Suits = []pb.Suit{pb.Suit_SUIT_CLUBS, pb.Suit_SUIT_DIAMONDS, pb.Suit_SUIT_HEARTS, pb.Suit_SUIT_SPADES}

// SuitOf returns the suit of a card.
func SuitOf(card pb.Card) pb.Suit {
	return pb.Suit((card-1)/ranksPerSuit + 1)
}

// RankOf returns the rank of a card.
func RankOf(card pb.Card) pb.Rank {
	return pb.Rank((card-1)%ranksPerSuit + 1)
}

// CardOf returns the card of a suit and a rank.
func CardOf(suit pb.Suit, rank pb.Rank) pb.Card {
	return pb.Card((int32(suit)-1)*ranksPerSuit + int32(rank))
}
