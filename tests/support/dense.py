"""Settings that leave no round to small talk, for tests of what a plan does with every round."""

from functools import partial

from chattest.settings.declaration import Settings

dense = partial(Settings, density=1.0)
