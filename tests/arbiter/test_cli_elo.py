import json
from typing import Any

import pytest

from arbiter.cli import main
from arbiter.console import DONE, USER_ERROR

OF_RESULTS = "results score elo bound margin low high nelo nelo_margin los"
OF_THE_TEST = "elo0 elo1 alpha beta normalized llr_logistic llr_normalized lower upper verdict"


def elo(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    status = main(["elo", *arguments])
    return status, *capsys.readouterr()


def figures(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    status, text, error = elo(capsys, *arguments, "--json")
    assert (status, error) == (DONE, "")
    values: dict[str, Any] = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert list(values) == [*OF_RESULTS.split(), *OF_THE_TEST.split()]
    return values


# Figures of the published vectors, which were made by another program.
def test_matches(capsys: pytest.CaptureFixture[str]) -> None:
    values = figures(capsys, "--wdl", "136,111,96", "--elo1", "5")
    assert values["elo"] == pytest.approx(40.7025, abs=0.001)
    assert values["margin"] == pytest.approx(30.4272, abs=0.001)
    assert values["nelo"] == pytest.approx(49.7684, abs=0.001)
    assert values["nelo_margin"] == pytest.approx(36.7685, abs=0.001)
    assert values["los"] == pytest.approx(99.6, abs=0.01)
    assert values["llr_logistic"] == pytest.approx(0.799006, rel=1e-3)
    assert values["llr_normalized"] == pytest.approx(0.664488, rel=1e-3)
    assert (values["lower"], values["upper"]) == (pytest.approx(-2.944439), pytest.approx(2.944439))
    assert (values["results"], values["bound"], values["verdict"]) == (343, None, None)


def test_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    values = figures(capsys, "--pairs", "34, 54, 63, 64, 75", "--elo1", "5")
    assert values["elo"] == pytest.approx(55.5798, abs=0.001)
    assert values["llr_normalized"] == pytest.approx(1.301436, rel=1e-3)


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    status, text, _ = elo(capsys, "--pairs", "100,0,270,0,130", "--elo1", "5")
    assert status == DONE
    assert text == (
        "500 pairs: LL 100, LD 0, WL+DD 270, WD 0, WW 130, score 53.0%\n"
        "  Elo +20.9 ± 20.7 (95 %: +0.3 to +41.6)\n"
        "  normalised Elo +21.8 ± 21.5\n"
        "  likelihood of superiority 97.6 %\n"
        "test of Elo 0 against 5, alpha 0.05, beta 0.05: not decided\n"
        "  log-likelihood ratio logistic +0.83, normalised +0.80; bounds -2.94 and +2.94\n"
    )


@pytest.mark.parametrize(
    ("results", "bound"), [(("--wdl", "9,0,0"), "at least"), (("--pairs", "9,0,0,0,0"), "at most")]
)
def test_what_would_be_infinite_is_a_bound(
    capsys: pytest.CaptureFixture[str], results: tuple[str, str], bound: str
) -> None:
    values = figures(capsys, *results)
    assert (values["bound"], values["margin"], values["nelo"]) == (bound, None, None)
    assert f"Elo {bound}" in elo(capsys, *results)[1]


@pytest.mark.parametrize("results", ["1,0,1", "0,1,0", "0,0,1000000000000", "1,0,1000000000000"])
def test_extreme_results_are_reported_in_numbers(capsys: pytest.CaptureFixture[str], results: str) -> None:
    figures(capsys, "--wdl", results, "--elo0", "-200", "--elo1", "200", "--normalized")
    text = elo(capsys, "--wdl", results)[1]
    assert "nan" not in text
    assert "inf" not in text


def test_a_test_that_has_decided(capsys: pytest.CaptureFixture[str]) -> None:
    decided = ("--pairs", "50,0,500,0,150")
    assert figures(capsys, *decided)["verdict"] == "elo1"
    assert "0.05: Elo 10 is accepted" in elo(capsys, *decided)[1]
    assert figures(capsys, "--pairs", "150,0,500,0,50")["verdict"] == "elo0"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((), "expected --wdl or --pairs, and only one of them"),
        (("--wdl", "1,2,3", "--pairs", "1,2,3,4,5"), "expected --wdl or --pairs, and only one of them"),
        (("--wdl", "1,2"), "--wdl: expected 3 numbers with commas between them, found '1,2'"),
        (("--pairs", "1,2,3"), "--pairs: expected 5 numbers with commas between them, found '1,2,3'"),
        (("--wdl", "1,2,x"), "--wdl: expected whole numbers from 0 to 1000000000000, found 'x'"),
        (("--wdl", "1,-2,3"), "--wdl: expected whole numbers from 0 to 1000000000000, found '-2'"),
        (("--wdl", "1,1.5,3"), "--wdl: expected whole numbers from 0 to 1000000000000, found '1.5'"),
        (("--wdl", "1,2,1000000000001"), "--wdl: expected whole numbers from 0 to 1000000000000, found 1000000000001"),
        (("--wdl", "0,0,0"), "--wdl: there are no results"),
        (("--wdl", "1,2,3", "--elo0", "-1500"), "elo0: expected from -200 to 200, found -1500"),
        (("--wdl", "1,2,3", "--elo1", "nan"), "elo1: expected from -200 to 200, found nan"),
        (("--wdl", "1,2,3", "--elo0", "20"), "elo0 must be less than elo1, not 20 and 10"),
        (("--wdl", "1,2,3", "--alpha", "0.5", "--beta", "0.5"), "alpha + beta must be less than 1, not 0.5 + 0.5"),
        (("--wdl", "1,2,3", "--alpha", "0"), "alpha: expected at least 1e-09 and less than 1, found 0"),
    ],
)
def test_bad_input_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], problem: str
) -> None:
    assert elo(capsys, *arguments) == (USER_ERROR, "", f"arbiter: {problem}\n")
