"""Cannot be asked to end."""

from tests.broken_bots.sound import Sound
from tests.misbehaving.raw import ignore_sigterm

ignore_sigterm()
Sound().run()
