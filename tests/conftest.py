from hypothesis import settings

# The same examples on every machine and in every run, and no clock in the verdict.
settings.register_profile("deterministic", derandomize=True, deadline=None, database=None)
settings.load_profile("deterministic")
