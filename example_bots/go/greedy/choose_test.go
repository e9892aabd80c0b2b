package greedy

import (
	"errors"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"example.com/sixtysix-go-bot/client"
	"example.com/sixtysix-go-bot/game"
	"example.com/sixtysix-go-bot/game/gametest"
	pb "example.com/sixtysix-go-bot/gen/sixtysix/v1"
)

const (
	draw     = pb.ActionKind_ACTION_KIND_DRAW
	exchange = pb.ActionKind_ACTION_KIND_EXCHANGE
	closing  = pb.ActionKind_ACTION_KIND_CLOSE
	claim    = pb.ActionKind_ACTION_KIND_CLAIM
	pass     = pb.ActionKind_ACTION_KIND_PASS
)

// position is a decision in Schnapsen with hearts as trump; what is not set is that of the first lead of a deal.
type position struct {
	hand   string
	plays  string // the cards that are legal; empty: all of the hand
	led    string // empty: the bot leads
	points uint32
	closed bool
	played string
	other  []*pb.Action // legal besides cards
	stage  pb.Stage
}

func (p position) question() *client.Question {
	decision := gametest.Decision("m1", 1)
	seen := decision.GetObservation()
	seen.Hand = gametest.Cards(p.hand)
	seen.OwnCardPoints = p.points
	seen.PlayedCards = gametest.Cards(p.played)
	if p.closed {
		seen.TalonClosedBy = pb.Seat_SEAT_FIRST
	}
	if p.led != "" {
		seen.LedCard = gametest.Card(p.led)
		seen.PlayedCards = append(seen.PlayedCards, seen.LedCard)
		seen.Leader = pb.Seat_SEAT_SECOND
		decision.Stage = pb.Stage_STAGE_FOLLOW
	}
	plays := p.plays
	if plays == "" {
		plays = p.hand
	}
	decision.LegalActions = append(gametest.Plays(plays), p.other...)
	if p.stage != pb.Stage_STAGE_UNSPECIFIED {
		decision.Stage = p.stage
		decision.LegalActions = p.other
	}
	return &client.Question{Offer: gametest.Offer("m1"), Decision: decision}
}

func TestChoose(t *testing.T) {
	play := func(text string) *pb.Action { return game.Play(gametest.Card(text)) }
	kind := func(kind pb.ActionKind) *pb.Action { return &pb.Action{Kind: kind} }
	kinds := gametest.Kinds
	clubs, hearts := gametest.Marriage(pb.Suit_SUIT_CLUBS), gametest.Marriage(pb.Suit_SUIT_HEARTS)
	toSpades := &pb.Action{Kind: pb.ActionKind_ACTION_KIND_TRUMP, Suit: pb.Suit_SUIT_SPADES}
	toClubs := &pb.Action{Kind: pb.ActionKind_ACTION_KIND_TRUMP, Suit: pb.Suit_SUIT_CLUBS}
	for name, test := range map[string]struct {
		position position
		want     *pb.Action
	}{
		"claims with 66": {
			position{hand: "AC TC", points: 66, other: kinds(exchange, claim)}, kind(claim)},
		"does not claim with 65": {
			position{hand: "AC TC", points: 65, other: kinds(claim)}, play("TC")},
		"claims before drawing": {
			position{points: 66, stage: pb.Stage_STAGE_BEFORE_DRAW, other: kinds(draw, closing, claim)}, kind(claim)},
		"claims after the last trick": {
			position{points: 66, stage: pb.Stage_STAGE_LAST_CLAIM, other: kinds(claim, pass)}, kind(claim)},
		"takes the only action": {
			position{hand: "AC"}, play("AC")},
		"draws": {
			position{stage: pb.Stage_STAGE_BEFORE_DRAW, other: kinds(draw, closing, claim)}, kind(draw)},
		"passes after the last trick": {
			position{stage: pb.Stage_STAGE_LAST_CLAIM, other: kinds(claim, pass)}, kind(pass)},
		"exchanges when offered": {
			position{stage: pb.Stage_STAGE_EXCHANGE_OFFER, other: kinds(exchange, pass)}, kind(exchange)},
		"exchanges before a marriage": {
			position{hand: "KC QC JH", other: append(kinds(exchange), clubs)}, kind(exchange)},
		"declares the trump marriage": {
			position{hand: "KC QC KH QH", other: []*pb.Action{clubs, hearts}}, hearts},
		"declares any marriage": {
			position{hand: "KC QC JS", other: append(kinds(closing), clubs)}, clubs},
		"closes with enough trumps": {
			position{hand: "AH TH KH JC QD", points: 35, other: kinds(closing, claim)}, kind(closing)},
		"does not close without": {
			position{hand: "AH TH KH JC QD", points: 31, other: kinds(closing, claim)}, play("JC")},
		"does not close on a beaten trump": {
			position{hand: "AH KH JC JD JS", points: 50, other: kinds(closing, claim)}, play("JC")},
		"names the longest suit trump": {
			position{hand: "AS TS KS JC JH", other: []*pb.Action{toClubs, toSpades}}, toSpades},
		"keeps a good trump": {
			position{hand: "AH TH KH JC JS", other: []*pb.Action{toClubs, toSpades}}, play("JC")},
		"keeps a trump that is as good": {
			position{hand: "AH JH AC JC", other: []*pb.Action{toClubs, toSpades}}, play("JC")},
		"leads what is missed least": {
			position{hand: "KC QC JS QD AH"}, play("JS")},
		"keeps its trumps": {
			position{hand: "JH KC TS"}, play("KC")},
		"keeps a marriage": {
			position{hand: "KC QC AS TS"}, play("TS")},
		"keeps the trump marriage": {
			position{hand: "KH QH AH"}, play("AH")},
		"leads the dearest sure winner in a closed deal": {
			position{hand: "JC TH AH", closed: true, played: "KH QH"}, play("AH")},
		"wins with the dearest plain card": {
			position{hand: "AC TC JS", led: "KC"}, play("AC")},
		"wins cheaply with a trump led": {
			position{hand: "AH TH JS", led: "KH"}, play("TH")},
		"trumps a ten": {
			position{hand: "JH AH JS", led: "TC"}, play("JH")},
		"spends no trump on a king": {
			position{hand: "KH AH JS", led: "KC"}, play("JS")},
		"keeps a marriage that would win": {
			position{hand: "KC QC JS", led: "JC"}, play("JS")},
		"wins if it has to": {
			position{hand: "KC QC JS", plays: "KC QC", led: "JC"}, play("QC")},
		"follows suit where it must": {
			position{hand: "JC AH TS", plays: "JC", led: "AC", closed: true}, play("JC")},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Choose(t.Context(), test.position.question())
			if err != nil {
				t.Fatal(err)
			}
			if !proto.Equal(got, test.want) {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}

func TestItDoesNotClaimFalselyEvenIfNothingElseIsLegal(t *testing.T) {
	question := position{stage: pb.Stage_STAGE_LAST_CLAIM, other: gametest.Kinds(claim, claim)}.question()
	if action, err := Choose(t.Context(), question); !errors.Is(err, errNoAction) {
		t.Errorf("%v, %v; want the error %v", action, err, errNoAction)
	}
}

func TestTheQuestionIsNotChanged(t *testing.T) {
	question := position{hand: "AC TC JS", led: "KC"}.question()
	before := proto.Clone(question.Decision)
	action, err := Choose(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	if !proto.Equal(before, question.Decision) {
		t.Errorf("the decision became %v", question.Decision)
	}
	if !slices.ContainsFunc(question.Decision.GetLegalActions(), func(legal *pb.Action) bool {
		return proto.Equal(legal, action)
	}) {
		t.Errorf("%v is not legal", action)
	}
}
