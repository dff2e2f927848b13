"""HMAC by keys that are kept ready (LED-10, LED-14): the same as the library's."""

import hmac

from hypothesis import given
from hypothesis import strategies as st
from ircdice.ledger.keyed import Keyed, keyed


@given(st.binary(max_size=130), st.lists(st.binary(max_size=300), max_size=3))
def test_led_10_it_is_the_hmac_of_the_library(key, messages):
    """LED-10, LED-14: whatever key and message, and however often one key is used."""
    ready = Keyed(key)
    for message in messages:
        assert ready.digest(message) == keyed(key).digest(message) == hmac.digest(key, message, "sha256")
