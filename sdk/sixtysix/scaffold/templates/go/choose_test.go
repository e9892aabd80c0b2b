package main

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"example.com/my_bot/client"
	"example.com/my_bot/game"
	"example.com/my_bot/game/gametest"
	pb "example.com/my_bot/gen/sixtysix/v1"
)

func TestChoose(t *testing.T) {
	play := func(text string) *pb.Action { return game.Play(gametest.Card(text)) }
	// The bot holds AC TC JS QD AH and is on lead, and hearts are trump, unless a test says otherwise.
	for name, test := range map[string]struct {
		change func(*pb.Decision)
		want   *pb.Action
	}{
		"claims with 66": {
			func(decision *pb.Decision) { decision.Observation.OwnCardPoints = 66 },
			&pb.Action{Kind: pb.ActionKind_ACTION_KIND_CLAIM},
		},
		"does not with 65": {
			func(decision *pb.Decision) { decision.Observation.OwnCardPoints = 65 },
			play("AH"),
		},
		"declares a marriage": {
			func(decision *pb.Decision) {
				decision.LegalActions = append(decision.LegalActions, gametest.Marriage(pb.Suit_SUIT_CLUBS))
			},
			gametest.Marriage(pb.Suit_SUIT_CLUBS),
		},
		"wins cheaply": {
			func(decision *pb.Decision) {
				decision.Stage = pb.Stage_STAGE_FOLLOW
				decision.Observation.LedCard = gametest.Card("KC")
				decision.LegalActions = gametest.Plays("AC TC JS QD AH")
			},
			play("TC"),
		},
		"throws away the cheapest": {
			func(decision *pb.Decision) {
				decision.Stage = pb.Stage_STAGE_FOLLOW
				decision.Observation.LedCard = gametest.Card("KS")
				decision.LegalActions = gametest.Plays("AC TC JS QD")
			},
			play("JS"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			decision := gametest.Decision("m1", 1)
			test.change(decision)
			got, err := Choose(t.Context(), &client.Question{Offer: gametest.Offer("m1"), Decision: decision})
			if err != nil {
				t.Fatal(err)
			}
			if !proto.Equal(got, test.want) {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}
