"""Hypothesis strategies for games of Shanghaien."""

from random import Random

from hypothesis import strategies as st

from p2p_shanghaien.games.shanghaien.game import Shanghaien

trick_counts = st.tuples(st.integers(0, 8), st.integers(0, 8)).filter(lambda pair: sum(pair) <= 8)
shanghaiens = st.builds(
    lambda variant, pair: Shanghaien(variant, (*pair, 8 - sum(pair))),
    st.sampled_from(("standard", "extra-wild")),
    st.just((3, 3)) | trick_counts,
)
"""Shanghaien with any options."""

generators = st.integers(0, 2**64).map(Random)
preferences = st.sampled_from(("", "roll", "!", "#", "-", "!b", "!r"))
