// The engine against the published deals: SIXTYSIX_VECTORS names another file than vectors/deals.jsonl.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "rules/deal.h"
#include "tests/presets.h"

namespace sixtysix {
namespace {

using Json = nlohmann::json;

constexpr std::array<const char*, 6> kStages{"before-draw", "lead",       "exchange-offer",
                                             "follow",      "last-claim", "over"};
constexpr std::array<const char*, 10> kReasons{
    "claim",        "false_claim", "failed_close", "closer_beaten", "last_trick",
    "higher_total", "draw",        "tie",          "both_over_66",  "forfeit"};

std::string vectors_path() {
    const char* const given = std::getenv("SIXTYSIX_VECTORS");
    return given != nullptr ? given : SIXTYSIX_DEFAULT_VECTORS;
}

std::vector<Json> records() {
    std::ifstream file(vectors_path());
    std::vector<Json> found;
    for (std::string line; std::getline(file, line);) {
        if (!line.empty()) found.push_back(Json::parse(line));
    }
    return found;
}

const Rules& rules_of(const Json& record) {
    static std::map<std::string, Rules> known;
    const Json& spec = record.at("rules");
    RuleSet rules = preset(spec.is_string() ? spec.get<std::string>() : spec.at("base").get<std::string>());
    if (spec.is_object()) {
        for (const auto& [field, value] : spec.items()) {
            if (field == "target") {
                rules.target = value.get<int>();
            } else if (field != "base") {
                throw std::invalid_argument("this test knows no derived rule set with another " + field);
            }
        }
    }
    return known.try_emplace(spec.dump(), rules).first->second;
}

// Records may be spelled loosely: lower case, 10 for T, symbols for suits.
Action action_of(const Json& text) {
    std::string spelled = text.get<std::string>();
    const std::array<std::pair<const char*, const char*>, 5> loose{
        {{"10", "T"}, {"\u2663", "C"}, {"\u2666", "D"}, {"\u2665", "H"}, {"\u2660", "S"}}};
    for (const auto& [from, to] : loose) {
        const std::size_t place = spelled.find(from);
        if (place != std::string::npos) spelled.replace(place, std::string(from).size(), to);
    }
    for (const std::size_t place : {std::size_t{0}, spelled.size() - 1}) {
        if (spelled.size() == 2 || (place > 0 && spelled[place - 1] == ' ')) {
            spelled[place] = static_cast<char>(std::toupper(static_cast<unsigned char>(spelled[place])));
        }
    }
    return parse_action(spelled).value();
}

std::vector<Card> cards(const Json& texts) {
    std::vector<Card> found;
    for (const Json& text : texts) found.push_back(action_of(text));
    return found;
}

Deal start(const Json& record) {
    return Deal::start(rules_of(record), record.at("dealer").get<int>(), cards(record.at("hands").at(0)),
                       cards(record.at("hands").at(1)), cards(record.at("talon")),
                       cards(Json::array({record.at("turn_up")})).front(), record.value("carry", 0));
}

Json legal_texts(const Deal& deal) {
    Json texts = Json::array();
    for (const Action action : deal.legal_actions()) texts.push_back(text_of(action));
    return texts;
}

Json step(const Deal& deal) {
    return {{"seat", deal.turn},
            {"stage", kStages.at(static_cast<int>(deal.stage))},
            {"legal", legal_texts(deal)}};
}

Json described(const Deal& deal) {
    Json result = step(deal);
    if (deal.over()) {
        const Outcome& outcome = deal.outcome;
        result = {{"winner", outcome.winner == kNone ? Json() : Json(outcome.winner)},
                  {"game_points", outcome.game_points},
                  {"score_change", outcome.score_change},
                  {"carry", outcome.carry},
                  {"reason", kReasons.at(static_cast<int>(outcome.reason))}};
    }
    result["over"] = deal.over();
    result["card_points"] = {deal.card_points(0), deal.card_points(1)};
    result["tricks"] = deal.tricks;
    return result;
}

// The members of a trace that this test knows must be those of the engine; others are not its business.
void expect_step(const Json& expected, const Deal& deal) {
    const Json found = step(deal);
    for (const char* const member : {"seat", "stage", "legal"})
        EXPECT_EQ(expected.at(member), found.at(member));
    if (expected.contains("card_points")) {
        EXPECT_EQ(expected.at("card_points"), Json({deal.card_points(0), deal.card_points(1)}));
    }
}

bool is_legal(const Deal& deal, Action action) {
    return (deal.legal() & action_bit(action)) != 0;
}

class Vectors : public testing::TestWithParam<Json> {};

TEST_P(Vectors, AreMet) {
    const Json& record = GetParam();
    Deal deal = start(record);
    const Json illegal = record.value("illegal", Json::array());
    const Json trace = record.value("trace", Json::array());
    const auto& actions = record.at("actions");
    for (std::size_t at = 0; at <= actions.size(); ++at) {
        SCOPED_TRACE("before action " + std::to_string(at));
        if (at < trace.size()) expect_step(trace[at], deal);
        for (const Json& entry : illegal) {
            if (entry.at("at").get<std::size_t>() != at) continue;
            const Action forbidden = action_of(entry.at("action"));
            EXPECT_TRUE(entry.at("seat") != Json(deal.turn) || !is_legal(deal, forbidden)) << entry;
        }
        if (at == actions.size()) break;
        const Action action = action_of(actions[at]);
        ASSERT_TRUE(is_legal(deal, action)) << actions[at];
        deal.apply(action);
    }
    const Json expect = record.at("expect");
    const Json found = described(deal);
    for (const auto& [member, value] : expect.items())
        EXPECT_EQ(value, found.value(member, Json())) << member;
    if (record.contains("forfeit")) {
        deal.forfeit(record["forfeit"].at("seat").get<int>());
        for (const auto& [member, value] : record["forfeit"].at("expect").items()) {
            EXPECT_EQ(value, described(deal).value(member, Json())) << member;
        }
    }
}

std::string test_name(const testing::TestParamInfo<Json>& deal) {
    const Json id = deal.param.value("id", Json());
    std::string name = id.is_string() ? id.get<std::string>() : "deal";
    std::ranges::replace_if(
        name, [](char letter) { return std::isalnum(static_cast<unsigned char>(letter)) == 0; }, '_');
    return name + "_" + std::to_string(deal.index);
}

INSTANTIATE_TEST_SUITE_P(Deals, Vectors, testing::ValuesIn(records()), test_name);

TEST(VectorsFile, HasDeals) {
    EXPECT_FALSE(records().empty()) << vectors_path();
}

}  // namespace
}  // namespace sixtysix
