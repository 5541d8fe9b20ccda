"""One process for all tests of a file."""

from collections.abc import Iterator

import pytest
from acuse import Acuse, Endpoint


@pytest.fixture(scope="module")
def acuse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Acuse]:
    process = Acuse(tmp_path_factory.mktemp("acuse"))
    yield process
    process.stop()


@pytest.fixture()
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    yield server
    server.stop()
