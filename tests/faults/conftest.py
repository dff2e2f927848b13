"""The servers of the wire's and the store's tests."""

from tests.store.conftest import postgresql_alone  # noqa: F401  # fixtures
from tests.wire.conftest import inspircd, ngircd_unlimited, server_packages  # noqa: F401  # fixtures
