"""The drill of docs/reliability.md: games come back from a copy of the store, and what was known since is void."""

import shutil
import tempfile
import time
from pathlib import Path

from service.bootstrap import create_app
from tests.conftest import Player, Store, client_for, new_game, running_store, served, settings_for

DURABLE = ("--appendonly", "yes", "--appendfsync", "always")


def backed_up(store: Store, to: Path) -> None:
    """Steps 1 and 2."""
    store.client.bgrewriteaof()
    until = time.monotonic() + 10
    while store.client.info("persistence")["aof_rewrite_in_progress"]:
        assert time.monotonic() < until
    folder = Path(store.client.config_get("dir")["dir"]) / "appendonlydir"
    shutil.copytree(folder, to / "appendonlydir")


def test_a_restored_game_is_as_it_was_and_who_knows_a_later_one_is_told(tmp_path):
    with running_store(*DURABLE) as store, served(create_app(settings_for(store.url))) as url, client_for(url) as http:
        ann, ben = new_game(http, first_dealer=1)
        saved = ann.play({"type": "deal"})
        backed_up(store, tmp_path)
        lost = ann.post({"type": "pass"})
        assert lost.status_code == 200

    with tempfile.TemporaryDirectory(prefix="upcard-") as folder:
        shutil.copytree(tmp_path / "appendonlydir", Path(folder) / "appendonlydir")
        restored = Store(Path(folder), *DURABLE)
        try:
            with served(create_app(settings_for(restored.url))) as url, client_for(url) as http:
                ann, ben = (Player(http, player.game, player.seat, player.token) for player in (ann, ben))
                assert ann.view() == saved
                assert ann.post({"type": "pass"}, **{"If-Match": lost.headers["etag"]}).status_code == 412
                again = ann.post({"type": "pass"})
                assert again.json()["version"] == lost.json()["version"]
                assert again.headers["etag"] != lost.headers["etag"]
                stale = ben.post({"type": "pass"}, **{"If-Match": f'"1-{lost.headers["etag"].split("-", 1)[1]}'})
                assert stale.status_code == 412
        finally:
            restored.stop()
