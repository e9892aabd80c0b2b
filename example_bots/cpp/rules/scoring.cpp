#include "rules/scoring.h"

#include <algorithm>

namespace sixtysix {
namespace {

Outcome won(const Ending& end, int winner, int value, Reason reason) {
    Outcome outcome{winner, value, {}, 0, reason};
    outcome.score_change[winner] = value + end.carry;
    outcome.score_change[1 - winner] = end.rules.zero_sum ? -value : 0;
    return outcome;
}

Outcome nobody(Reason reason, int carry) {
    return {kNone, 0, {}, carry, reason};
}

int graded(const Rules& rules, int loser_points, int loser_tricks) {
    if (loser_tricks == 0) return 3;
    return loser_points < rules.schneider_points ? 2 : 1;
}

int by_loser(const Ending& end, int loser) {
    return graded(end.rules, end.card_points[loser], end.tricks[loser]);
}

int failed_close_value(const Ending& end) {
    const int closer = end.closing.seat;
    const bool dear = end.rules.closer_fails == CloserFails::kCloserTrickless
                          ? end.tricks[closer] == 0
                          : end.closing.tricks[1 - closer] == 0;
    return dear ? 3 : 2;
}

Outcome failed_close(const Ending& end) {
    return won(end, 1 - end.closing.seat, failed_close_value(end), Reason::kFailedClose);
}

Outcome false_claim(const Ending& end, int seat) {
    const int other = 1 - seat;
    if (end.closing.seat == seat && end.rules.closer_fails != CloserFails::kNoPenalty)
        return failed_close(end);
    const int value = end.tricks[other] > 0 ? end.rules.false_claim : end.rules.false_claim_trickless;
    return won(end, other, value, Reason::kFalseClaim);
}

int against_closer_value(const Ending& end) {
    switch (end.rules.closer_beaten) {
        case CloserBeaten::kFlat:
            return 2;
        case CloserBeaten::kAsFailedClose:
            return failed_close_value(end);
        case CloserBeaten::kAsClaim:
            break;
    }
    return by_loser(end, end.closing.seat);
}

}  // namespace

Outcome claimed(const Ending& end, int seat) {
    const Rules& rules = end.rules;
    const Closing& closing = end.closing;
    const int other = 1 - seat;
    if (end.card_points[seat] < rules.claim_points) return false_claim(end, seat);
    if (rules.both_over == BothOver::kCarry && end.card_points[other] > rules.claim_points) {
        return nobody(Reason::kBothOver66, end.carry + 1);
    }
    if (closing.seat == other) return won(end, seat, against_closer_value(end), Reason::kCloserBeaten);
    if (closing.seat == seat && rules.closer_measure == Measure::kAtClose) {
        return won(end, seat, graded(rules, closing.card_points[other], closing.tricks[other]),
                   Reason::kClaim);
    }
    return won(end, seat, by_loser(end, other), Reason::kClaim);
}

Outcome unclaimed(const Ending& end, int last_trick_winner) {
    const Rules& rules = end.rules;
    if (end.closing.seat != kNone) {
        const bool reached = end.card_points[end.closing.seat] >= rules.claim_points;
        if (rules.closed_unclaimed == ClosedUnclaimed::kTieAt66 && reached) {
            return nobody(Reason::kTie, end.carry + 1);
        }
        if (rules.closed_unclaimed == ClosedUnclaimed::kDraw ||
            rules.closer_fails == CloserFails::kNoPenalty) {
            return nobody(Reason::kDraw, end.carry);
        }
        return failed_close(end);
    }
    switch (rules.unclaimed) {
        case Unclaimed::kLastTrick:
            return won(end, last_trick_winner, by_loser(end, 1 - last_trick_winner), Reason::kLastTrick);
        case Unclaimed::kLastTrickFlat:
            return won(end, last_trick_winner, 1, Reason::kLastTrick);
        case Unclaimed::kTie:
            return nobody(Reason::kTie, end.carry + 1);
        case Unclaimed::kDraw:
            return nobody(Reason::kDraw, end.carry);
        case Unclaimed::kHigherTotal:
            break;
    }
    const auto [first, second] = end.card_points;
    if (first == second) return nobody(Reason::kDraw, end.carry);
    return won(end, first > second ? 0 : 1, 1, Reason::kHigherTotal);
}

Outcome forfeited(const Ending& end, int seat) {
    const int other = 1 - seat;
    const bool closed_early = end.closing.seat == seat && end.closing.tricks[other] == 0;
    const bool dear = closed_early || end.tricks[0] == 0 || end.tricks[1] == 0;
    return won(end, other, dear ? std::max(3, end.rules.forfeit) : end.rules.forfeit, Reason::kForfeit);
}

}  // namespace sixtysix
