from dataclasses import fields

from arbiter.web.news import News, Table

TABLE = Table("001-02", ("ada", "bob"), 3, (4, -1), 1.5)


def test_a_line_says_it_all() -> None:
    news = News("running", 7, (TABLE,), (("001-01", 1), ("002-01", 3)))
    line = news.to_line()
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert News.from_line(line) == news


def test_the_last_line() -> None:
    news = News("stopped")
    assert News.from_line(news.to_line()) == news


def test_a_match_in_play_is_told_without_its_cards() -> None:
    assert {field.name for field in fields(Table)} == {"match_id", "bots", "deal", "score", "seconds"}
