"""Configs from their text."""

import re

import pytest

from ircdice.config import load
from ircdice.errors import ConfigError


@pytest.fixture
def read(tmp_path):
    """Load a config from its text, in a file that only its owner may read."""

    def loaded(text, mode=0o600, **environ):
        file = tmp_path / "config.ini"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        file.chmod(mode)
        return load(file, environ)

    return loaded


@pytest.fixture
def faults(read):
    """The faults of a text, without the file's name."""

    def told(text, **environ):
        with pytest.raises(ConfigError) as caught:
            read(text, **environ)
        return [re.sub(r"^\S*config\.ini:", "", str(fault)) for fault in caught.value.faults]

    return told
