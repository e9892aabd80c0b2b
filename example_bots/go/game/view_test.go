package game_test

import (
	"slices"
	"testing"

	"example.com/sixtysix-go-bot/game"
	"example.com/sixtysix-go-bot/game/gametest"
	pb "example.com/sixtysix-go-bot/gen/sixtysix/v1"
)

// view returns the view of the first lead of a deal, changed as a test wants it.
func view(change func(*pb.Decision)) *game.View {
	decision := gametest.Decision("m1", 1)
	change(decision)
	return game.NewView(gametest.Schnapsen(), decision)
}

func asItIs(*pb.Decision) {}

func TestEveryCardHasItsSuitAndRank(t *testing.T) {
	for number := range pb.Card_name {
		card := pb.Card(number)
		if card == pb.Card_CARD_UNSPECIFIED {
			continue
		}
		if back := game.CardOf(game.SuitOf(card), game.RankOf(card)); back != card {
			t.Errorf("%v became %v", card, back)
		}
	}
	if card := gametest.Card("TH"); game.SuitOf(card) != pb.Suit_SUIT_HEARTS || game.RankOf(card) != pb.Rank_RANK_TEN {
		t.Errorf("TH is %v", card)
	}
}

func TestPoints(t *testing.T) {
	v := view(asItIs)
	for text, want := range map[string]int{"AC": 11, "TD": 10, "KH": 4, "QS": 3, "JC": 2, "9C": 0} {
		if got := v.Points(gametest.Card(text)); got != want {
			t.Errorf("%s counts %d, want %d", text, got, want)
		}
	}
}

func TestWhichCardTakesTheTrick(t *testing.T) {
	v := view(asItIs) // hearts are trump
	for _, test := range []struct {
		led, reply string
		want       bool
	}{
		{"KC", "TC", true},
		{"TC", "KC", false},
		{"AC", "JH", true},
		{"JH", "AC", false},
		{"JC", "AD", false},
		{"KH", "TH", true},
	} {
		if got := v.Beats(gametest.Card(test.led), gametest.Card(test.reply)); got != test.want {
			t.Errorf("%s beats %s: %v, want %v", test.reply, test.led, got, test.want)
		}
	}
}

func TestWhatTheOtherPlayerMayHold(t *testing.T) {
	v := view(func(decision *pb.Decision) {
		decision.Observation.PlayedCards = gametest.Cards("KC JC")
		decision.Observation.OpponentKnownCards = gametest.Cards("KH QH")
	})
	want := gametest.Cards("QC AD TD KD JD TH KH QH AS TS KS QS")
	if got := v.Against(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestSureWinners(t *testing.T) {
	v := view(asItIs)
	for text, want := range map[string]bool{"AH": true, "AC": false, "JS": false} {
		if got := v.WouldWin(gametest.Card(text)); got != want {
			t.Errorf("leading %s wins: %v, want %v", text, got, want)
		}
	}
	following := view(func(decision *pb.Decision) {
		decision.Stage = pb.Stage_STAGE_FOLLOW
		decision.Observation.LedCard = gametest.Card("KC")
	})
	for text, want := range map[string]bool{"AC": true, "TC": true, "JS": false, "AH": true} {
		if got := following.WouldWin(gametest.Card(text)); got != want {
			t.Errorf("answering KC with %s wins: %v, want %v", text, got, want)
		}
	}
}

func TestTheClaimIsCorrectWithEnoughPoints(t *testing.T) {
	for points, want := range map[uint32]bool{0: false, 65: false, 66: true, 70: true} {
		v := view(func(decision *pb.Decision) { decision.Observation.OwnCardPoints = points })
		if got := v.Claim() != nil; got != want {
			t.Errorf("with %d points the claim is correct: %v, want %v", points, got, want)
		}
	}
	v := view(func(decision *pb.Decision) {
		decision.Observation.OwnCardPoints = 66
		decision.LegalActions = gametest.Plays("AC")
	})
	if v.Claim() != nil {
		t.Error("a claim that is not legal")
	}
}

func TestTheTalonIsOpenWhileCardsAreDrawn(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*pb.Observation)
		want   bool
	}{
		"full":      {func(*pb.Observation) {}, true},
		"closed":    {func(o *pb.Observation) { o.TalonClosedBy = pb.Seat_SEAT_SECOND }, false},
		"exhausted": {func(o *pb.Observation) { o.TalonCount, o.TurnUp = 0, 0 }, false},
		"turn-up":   {func(o *pb.Observation) { o.TalonCount = 0 }, true},
	} {
		v := view(func(decision *pb.Decision) { test.change(decision.GetObservation()) })
		if v.TalonOpen() != test.want {
			t.Errorf("%s: open %v, want %v", name, v.TalonOpen(), test.want)
		}
	}
}

func TestCardsInAMarriage(t *testing.T) {
	v := view(func(decision *pb.Decision) { decision.Observation.Hand = gametest.Cards("KC QC QD AH TH") })
	for text, want := range map[string]bool{"KC": true, "QC": true, "QD": false, "AH": false} {
		if got := v.InMarriage(gametest.Card(text)); got != want {
			t.Errorf("%s in a marriage: %v, want %v", text, got, want)
		}
	}
	v.Rules.MarriageAnyLead = false
	v.TalonClosedBy = pb.Seat_SEAT_SECOND
	if v.InMarriage(gametest.Card("KC")) {
		t.Error("a marriage that cannot be declared any more")
	}
}
