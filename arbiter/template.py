"""What `arbiter init` writes."""

TEMPLATE = """\
# A tournament of bots. Start it with: arbiter run tournament.toml
# Durations are texts with a unit: "250us", "50ms", "10s", "2m", "1h".

[tournament]
name = "tournament"              # letters, digits, ".", "_" and "-"
rules = "schnapsen"              # `arbiter rules` lists them; or a table: { base = "schnapsen", target = 5 }
matches_per_pair = 20            # even: each bot deals first equally often
concurrency = 2                  # matches at once
deal_limit = 100                 # a match that lasts longer is drawn
duplicate = false                # true: every two matches share their cards, with the seats changed
out = "runs/tournament"          # results, effective configuration and the bots' logs go here

[server]
listen = "127.0.0.1:0"           # host:port; port 0 takes a free one
# tls_cert = "arbiter.pem"       # its certificate and key, for bots on other machines
# tls_key = "arbiter-key.pem"
# tokens = "tokens.toml"         # hashes of tokens, see `arbiter token`

# Results go to a SQLite file in `out`, or to a database:
# [store]
# url = "postgresql+psycopg://arbiter@localhost/tournaments"   # the password: ~/.pgpass or PGPASSWORD

# A page that shows the tournament while it is played:
# [web]
# listen = "127.0.0.1:8080"
# public = false                 # true: others may reach it, without TLS
# viewers = 200                  # at once

[time]
ready = "10s"                    # from the offer of a match to the bot's "ready"
decision = "1s"                  # the most that one decision may take
bank = "30s"                     # thinking time for a whole match
increment = "50ms"               # added to the bank after each decision
lag = "20ms"                     # network time per decision that is not charged, at most

[faults]
illegal = "deal"                 # an illegal action forfeits the "deal" or the "match"
late = "deal"                    # so does a late one
limit = 3                        # this many faults in a match forfeit the match
reconnect = "10s"                # a lost connection may be resumed for so long
withdraw = 3                     # a bot that was not ready so many times in a row is withdrawn

# One table for each bot. The arbiter starts those that have a command; {python} is the Python it runs on.
[[bots]]
name = "random"
command = ["{python}", "-m", "example_bots.random_bot"]

[[bots]]
name = "greedy"
command = ["{python}", "-m", "example_bots.greedy_bot"]

[[bots]]
name = "counting"
command = ["{python}", "-m", "example_bots.counting_bot"]
# env = { DEPTH = "3" }          # added to its environment
# cwd = "bots/counting"          # where it is started
# concurrency = 1                # the most matches it plays at once
# memory = "512MB"               # the most memory for data of each of its processes

# A bot without a command is awaited: it connects with the token found in this environment variable,
# with the one that token_hash tells, or with the one that `arbiter token new guest` has made.
# [[bots]]
# name = "guest"
# token_env = "GUEST_TOKEN"
"""
