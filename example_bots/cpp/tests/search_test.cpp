// Sampling, belief, exact play and decisions.
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <vector>

#include "search/belief.h"
#include "search/endgame.h"
#include "search/habits.h"
#include "search/policy.h"
#include "search/sampler.h"
#include "search/thinker.h"
#include "tests/presets.h"
#include "tests/table.h"

namespace sixtysix {
namespace {

Deal random_deal(const Rules& rules, Generator& generator) {
    std::vector<Card> deck;
    for_each(rules.pack, [&](Card card) { deck.push_back(card); });
    std::shuffle(deck.begin(), deck.end(), generator);
    return Deal::from_deck(rules, deck, below(generator, 2), 0);
}

// The rules of thumb, with a random action now and then so that every kind of position comes up.
Action careless_action(const Deal& deal, Generator& generator) {
    if (below(generator, 3) > 0) return quick_action(deal);
    const std::vector<Action> legal = deal.legal_actions();
    const Action action = legal[below(generator, static_cast<int>(legal.size()))];
    return action == kClaim && legal.size() > 1 ? quick_action(deal) : action;
}

// Plays `deals` random deals and calls `look` before each action.
template <typename Look>
void look_at_positions(const Rules& rules, int deals, Look look) {
    Generator generator(17);
    for (int number = 0; number < deals; ++number) {
        Table table(random_deal(rules, generator));
        while (!table.deal().over()) {
            look(table, generator);
            if (testing::Test::HasFatalFailure()) return;
            table.apply(careless_action(table.deal(), generator));
        }
    }
}

int plain_minimax(const Deal& deal, const Worth& worth) {
    if (deal.over()) return worth.of(deal.outcome);
    int best = std::numeric_limits<int>::min();
    const int sign = deal.turn == 0 ? 1 : -1;
    for (const Action action : deal.legal_actions()) {
        if (action == kClaim && !deal.has_enough()) continue;
        Deal after = deal;
        after.apply(action);
        best = std::max(best, sign * plain_minimax(after, worth));
    }
    return sign * best;
}

class Search : public testing::TestWithParam<std::string> {
  protected:
    const Rules rules{preset(GetParam())};
};

TEST_P(Search, SamplesFitTheView) {
    look_at_positions(rules, 30, [&](const Table& table, Generator& generator) {
        const View view = table.view({0, 0});
        const Deal sample = Sampler(view).sample(generator);
        const int other = view.other();
        const Deal& real = table.deal();
        ASSERT_EQ(sample.hands[view.seat].cards(), real.hands[view.seat].cards());
        ASSERT_EQ(count(sample.hands[other].cards()), count(real.hands[other].cards()));
        ASSERT_EQ(view.shown[other] & ~sample.hands[other].cards(), 0U);
        ASSERT_EQ(sample.face_down(), real.face_down());
        ASSERT_EQ(sample.legal(), real.legal());
        CardSet all = sample.hands[0].cards() | sample.hands[1].cards() | sample.played;
        for (int place = sample.drawn; place < sample.talon_size; ++place) all |= bit(sample.talon[place]);
        if (sample.turn_up != kNone) all |= bit(sample.turn_up);
        ASSERT_EQ(all, rules.pack);
    });
}

TEST_P(Search, TheRealHandIsAmongThePossibleOnes) {
    look_at_positions(rules, 30, [&](const Table& table, Generator&) {
        const View view = table.view({0, 0});
        const std::vector<CardSet> hands = Sampler(view).hands(3000);
        const CardSet real = table.deal().hands[view.other()].cards() & ~view.shown[view.other()];
        ASSERT_TRUE(hands.empty() || std::ranges::find(hands, real) != hands.end());
    });
}

TEST_P(Search, BeliefNeverRulesOutTheRealDealWithoutDuties) {
    if (rules.open_duty != Duty::kAnyCard) GTEST_SKIP() << "when a card was received is guessed there";
    look_at_positions(rules, 30, [&](const Table& table, Generator& generator) {
        const View view = table.view({0, 0});
        ASSERT_GT(Belief(view).weight(table.deal(), generator), 0);
    });
}

TEST_P(Search, ExactPlayIsMinimax) {
    const Worth worth(rules, {0, 0});
    Endgame endgame;
    endgame.begin(rules, 0, worth);
    int compared = 0;
    look_at_positions(rules, 60, [&](const Table& table, Generator&) {
        const Deal& deal = table.deal();
        const bool drawn = !deal.talon_open() && deal.stage != Stage::kExchangeOffer;
        if (!drawn || count(deal.hands[0].cards()) > 4) return;
        ++compared;
        ASSERT_EQ(endgame.value(deal), plain_minimax(deal, worth));
    });
    EXPECT_GT(compared, 100);
}

TEST_P(Search, ChoicesAreLegalAndClaimsCorrect) {
    Thinker thinker(5);
    Effort effort;
    effort.samples = 20;
    look_at_positions(rules, 20, [&](const Table& table, Generator&) {
        const View view = table.view({rules.target - 1, 0});
        const Action action = thinker.choose(view, effort);
        ASSERT_NE(std::ranges::find(view.legal_actions, action), view.legal_actions.end()) << text_of(action);
        ASSERT_TRUE(action != kClaim || table.deal().has_enough() || view.legal_actions.size() == 1);
    });
}

TEST_P(Search, HabitsAreChancesOfTheActionsAskedFor) {
    look_at_positions(rules, 30, [&](const Table& table, Generator& generator) {
        const Deal& deal = table.deal();
        const ActionSet among = sensible(deal, deal.legal());
        const Chances chances = habits(deal, among);
        double sum = 0;
        for (Action action = 0; action < kActions; ++action) {
            ASSERT_EQ(chances[action] > 0, (among & action_bit(action)) != 0) << text_of(action);
            sum += chances[action];
        }
        ASSERT_NEAR(sum, 1, 1e-9);
        ASSERT_NE(among & action_bit(by_habit(deal, among, generator)), 0U);
        ASSERT_NE(deal.legal() & action_bit(usual_action(deal)), 0U);
    });
}

INSTANTIATE_TEST_SUITE_P(RuleSets, Search, testing::ValuesIn(preset_names()),
                         [](const testing::TestParamInfo<std::string>& name) {
                             std::string text = name.param;
                             std::ranges::replace(text, '-', '_');
                             return text;
                         });

TEST(Thinker, StopsWhenTimeIsUp) {
    const Rules rules(preset("schnapsen"));
    Generator generator(3);
    const Table table(random_deal(rules, generator));
    Thinker thinker(1);
    int asked = 0;
    Effort effort;
    effort.enough = [&] { return ++asked > 100; };
    thinker.choose(table.view({0, 0}), effort);
    EXPECT_GT(thinker.samples(), 0);
    EXPECT_LE(thinker.samples(), 100);
}

TEST(Habits, TakeATenWithTheAceAndKeepItOtherwise) {
    const Rules rules(preset("schnapsen"));
    const auto cards = [](std::initializer_list<const char*> texts) {
        std::vector<Card> found;
        for (const char* text : texts) found.push_back(*parse_action(text));
        return found;
    };
    const Deal start =
        Deal::start(rules, 0, cards({"AC", "JH", "QD", "JS", "JD"}), cards({"TC", "AH", "KD", "TD", "KH"}),
                    cards({"KC", "QC", "JC", "AD", "QH", "TH", "QS", "KS", "TS"}), *parse_action("AS"), 0);
    const auto after = [&](const char* led) {
        Deal deal = start;
        deal.apply(*parse_action(led));
        return usual_action(deal);
    };
    EXPECT_EQ(text_of(after("TC")), "AC");
    EXPECT_NE(text_of(after("KD")), "AC");
}

TEST(Worth, GrowsWithGamePoints) {
    const Rules rules(preset("schnapsen"));
    const auto won = [&](const Pair& score, int winner, int points) {
        Outcome outcome;
        outcome.winner = winner;
        outcome.score_change[winner] = points;
        return Worth(rules, score).of(outcome);
    };
    EXPECT_LT(won({0, 0}, 0, 1), won({0, 0}, 0, 2));
    EXPECT_LT(won({0, 0}, 0, 2), won({0, 0}, 0, 3));
    EXPECT_EQ(won({0, 0}, 0, 2), -won({0, 0}, 1, 2));
    EXPECT_EQ(won({6, 6}, 0, 1), Worth::kMatch);
    EXPECT_EQ(won({6, 6}, 0, 1), won({6, 6}, 0, 3));
    EXPECT_EQ(won({6, 6}, 1, 1), -Worth::kMatch);
}

}  // namespace
}  // namespace sixtysix
