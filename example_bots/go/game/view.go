package game

import (
	"slices"

	pb "example.com/sixtysix-go-bot/gen/sixtysix/v1"
)

// View is what the deciding seat sees, with the rules that it plays by. The fields of the observation are those of the
// message; the methods work out what follows from them.
type View struct {
	*pb.Observation
	Rules *pb.RuleSet
	Stage pb.Stage
	Legal []*pb.Action

	order map[pb.Rank]int // places in Rules.Ranks
}

// NewView returns the view of a decision in a match with these rules.
func NewView(rules *pb.RuleSet, decision *pb.Decision) *View {
	order := make(map[pb.Rank]int, len(rules.GetRanks()))
	for place, rank := range rules.GetRanks() {
		order[rank] = place
	}
	return &View{
		Observation: decision.GetObservation(),
		Rules:       rules,
		Stage:       decision.GetStage(),
		Legal:       decision.GetLegalActions(),
		order:       order,
	}
}

// Find returns the first legal action of a kind, or nil.
func (v *View) Find(kind pb.ActionKind) *pb.Action {
	return v.FindSuit(kind, pb.Suit_SUIT_UNSPECIFIED)
}

// FindSuit returns the first legal action of a kind in a suit, or nil. Any suit will do where suit is unspecified.
func (v *View) FindSuit(kind pb.ActionKind, suit pb.Suit) *pb.Action {
	for _, action := range v.Legal {
		if action.GetKind() == kind && (suit == pb.Suit_SUIT_UNSPECIFIED || action.GetSuit() == suit) {
			return action
		}
	}
	return nil
}

// Play returns the action that plays a card.
func Play(card pb.Card) *pb.Action {
	return &pb.Action{Kind: pb.ActionKind_ACTION_KIND_PLAY, Card: card}
}

// Playable returns the cards among the legal actions.
func (v *View) Playable() []pb.Card {
	var cards []pb.Card
	for _, action := range v.Legal {
		if action.GetKind() == pb.ActionKind_ACTION_KIND_PLAY {
			cards = append(cards, action.GetCard())
		}
	}
	return cards
}

// Claim returns the claim if it is legal now and correct, or nil.
func (v *View) Claim() *pb.Action {
	if v.PointsNeeded() > 0 {
		return nil
	}
	return v.Find(pb.ActionKind_ACTION_KIND_CLAIM)
}

// PointsNeeded returns the points still missing for a correct claim, 0 if none.
func (v *View) PointsNeeded() int {
	return max(0, int(v.Rules.GetClaimPoints())-int(v.GetOwnCardPoints()))
}

// TalonOpen reports whether cards are still drawn: the talon is neither closed nor exhausted.
func (v *View) TalonOpen() bool {
	isClosed := v.GetTalonClosedBy() != pb.Seat_SEAT_UNSPECIFIED
	return !isClosed && (v.GetTalonCount() > 0 || v.GetTurnUp() != pb.Card_CARD_UNSPECIFIED)
}

// Points returns the card points of a card.
func (v *View) Points(card pb.Card) int {
	place, ok := v.order[RankOf(card)]
	if !ok || place >= len(v.Rules.GetCardPoints()) {
		return 0
	}
	return int(v.Rules.GetCardPoints()[place])
}

// Stronger reports whether a card is of a stronger rank than another one; suits do not count.
func (v *View) Stronger(card, than pb.Card) bool {
	return v.order[RankOf(card)] < v.order[RankOf(than)]
}

// IsTrump reports whether a card is of the trump suit.
func (v *View) IsTrump(card pb.Card) bool {
	return SuitOf(card) == v.GetTrump()
}

// Beats reports whether a reply takes the trick that was led with a card.
func (v *View) Beats(led, reply pb.Card) bool {
	if SuitOf(led) == SuitOf(reply) {
		return v.Stronger(reply, led)
	}
	return v.IsTrump(reply)
}

// WouldWin reports whether playing a card surely wins the trick. For a card that is led: whether no card that the
// other player may hold beats it, whatever the duties.
func (v *View) WouldWin(card pb.Card) bool {
	if v.Stage == pb.Stage_STAGE_FOLLOW {
		return v.Beats(v.GetLedCard(), card)
	}
	return !slices.ContainsFunc(v.Against(), func(other pb.Card) bool { return v.Beats(card, other) })
}

// Against returns the cards that the other player may hold: those known to be in that hand, and all whose place is
// unknown.
func (v *View) Against() []pb.Card {
	seen := map[pb.Card]bool{v.GetTurnUp(): true}
	for _, cards := range [][]pb.Card{v.GetHand(), v.GetPlayedCards()} {
		for _, card := range cards {
			seen[card] = true
		}
	}
	var cards []pb.Card
	for _, suit := range Suits {
		for _, rank := range v.Rules.GetRanks() {
			if card := CardOf(suit, rank); !seen[card] {
				cards = append(cards, card)
			}
		}
	}
	return cards
}

// InMarriage reports whether a card is half of a marriage in the hand that may still be declared.
func (v *View) InMarriage(card pb.Card) bool {
	if !v.TalonOpen() && !v.Rules.GetMarriageAnyLead() {
		return false
	}
	var partner pb.Rank
	switch RankOf(card) {
	case pb.Rank_RANK_KING:
		partner = pb.Rank_RANK_QUEEN
	case pb.Rank_RANK_QUEEN:
		partner = pb.Rank_RANK_KING
	default:
		return false
	}
	return slices.Contains(v.GetHand(), CardOf(SuitOf(card), partner))
}
