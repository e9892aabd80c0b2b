// The engine: the full state of one deal, hidden cards included, from the first lead to its outcome. It has
// no pointers of its own and is copied freely, which is how the search tries actions out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rules/scoring.h"

namespace sixtysix {

enum class Stage : std::uint8_t { kBeforeDraw, kLead, kExchangeOffer, kFollow, kLastClaim, kOver };

// The cards of a player: as a set, and in the order in which they were received.
class Hand {
  public:
    CardSet cards() const { return cards_; }
    std::span<const std::uint8_t> order() const { return {order_.data(), size_}; }
    bool holds(Card card) const { return (cards_ & bit(card)) != 0; }
    void add(Card card);
    void remove(Card card);

  private:
    CardSet cards_ = 0;
    std::array<std::uint8_t, 12> order_{};
    std::uint8_t size_ = 0;
};

struct Deal {
    const Rules* rules = nullptr;
    int carry = 0;
    std::array<Hand, 2> hands;
    std::array<std::uint8_t, kCards> talon{};  // top first; a turn-up on top is its first card
    std::int8_t talon_size = 0;
    std::int8_t drawn = 0;        // cards of `talon` that are gone
    std::int8_t turn_up = kNone;  // while it belongs to the talon, also when closed
    std::int8_t trump = 0;
    Stage stage = Stage::kLead;
    std::int8_t dealer = 0;
    std::int8_t turn = 0;          // seat that decides
    std::int8_t leader = 0;        // seat that leads or led the present trick
    std::int8_t led = kNone;       // card on the table
    std::int8_t declared = kNone;  // suit of a marriage declared on this lead
    std::uint8_t used_nines = 0;   // suits whose lowest card has served for a trump change, as bits
    Pair tricks{};
    Pair trick_points{};
    Pair marriage_points{};  // they count once a trick is won
    int pending_marriage = 0;
    Closing closing;
    CardSet played = 0;
    std::array<CardSet, 2> shown{};  // by seat, the cards that the other one knows to be in its hand
    Outcome outcome;                 // once over

    // A deal before its first action.
    static Deal start(const Rules& rules, int dealer, std::span<const Card> first,
                      std::span<const Card> second, std::span<const Card> talon, Card turn_up, int carry);
    // Deals from the top of `deck`, in the packets of the rules, forehand first.
    static Deal from_deck(const Rules& rules, std::span<const Card> deck, int dealer, int carry);

    bool over() const { return stage == Stage::kOver; }
    // Face-down cards left in the talon.
    int face_down() const { return talon_size - drawn - (rules->turn_up_on_top && turn_up != kNone ? 1 : 0); }
    // True while cards are drawn: neither closed nor exhausted.
    bool talon_open() const { return closing.seat == kNone && (turn_up != kNone || drawn < talon_size); }
    // Points that count now: none without a trick.
    int card_points(int seat) const {
        return tricks[seat] > 0 ? trick_points[seat] + marriage_points[seat] : 0;
    }
    // Would a claim of the seat on turn be correct? Whether it may claim now is another question.
    bool has_enough() const { return card_points(turn) >= rules->claim_points; }
    Duty duty() const { return talon_open() ? rules->open_duty : rules->closed_duty; }

    // What the seat on turn may do; empty once over.
    ActionSet legal() const;
    // The same in the canonical order of the records.
    std::vector<Action> legal_actions() const;
    // Performs a legal action; what an illegal one does is not defined.
    void apply(Action action);
    void forfeit(int seat);

  private:
    ActionSet lead_actions() const;
    bool may_exchange() const;
    bool may_close() const { return tricks[turn] > 0 || !rules->close_needs_trick; }
    Card lowest_trump() const { return rules->lowest[trump]; }
    bool other_may_hold_lowest_trump() const;
    void play(Card card);
    void draw();
    void exchange();
    void close();
    void declare(int suit);
    void change_trump(int suit);
    void end(const Outcome& result);
    Ending ending() const { return {*rules, {card_points(0), card_points(1)}, tricks, closing, carry}; }
};

}  // namespace sixtysix
