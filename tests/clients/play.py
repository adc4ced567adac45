"""Two seats play a match of each game through the generated client, and the scores are printed.

    python play.py URL KEY MATCHES.json

KEY is the API key of a backend, which makes the games. MATCHES.json has, by game, the target of the match and the decks
of its rounds; the service must allow decks to be given.
"""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from upcard_client import AuthenticatedClient, Client
from upcard_client import models as m
from upcard_client.api.games import create_game, get_game, join_game
from upcard_client.api.moves import submit_move
from upcard_client.api.results import get_score

GinMove = m.DealMove | m.PassMove | m.DrawMove | m.DiscardMove | m.KnockMove | m.BigGinMove | m.SpreadMove
RummyMove = m.DealMove | m.DrawMove | m.MeldMove | m.LayOffMove | m.DiscardMove
Move = GinMove | RummyMove
View = m.GinView | m.RummyView

CLASSES = {
    "big_gin": m.BigGinMove,
    "spread": m.SpreadMove,
    "knock": m.KnockMove,
    "meld": m.MeldMove,
    "lay_off": m.LayOffMove,
    "discard": m.DiscardMove,
    "pass": m.PassMove,
    "draw": m.DrawMove,
    "deal": m.DealMove,
}
"""The class that each type of move has, in the order in which a player here likes them."""


@dataclass
class Player:
    """A seat of a game, with its last view and the tag of that."""

    client: AuthenticatedClient
    game: str
    seat: int
    view: View = field(init=False)
    tag: str = field(init=False)

    def look(self) -> View:
        """Ask for the view, unless it is still the one that is known."""
        known = {"if_none_match": self.tag} if hasattr(self, "tag") else {}
        answer = get_game.sync_detailed(self.game, client=self.client, **known)
        if answer.status_code == 304:
            assert known
            assert answer.parsed is None
            return self.view
        assert isinstance(answer.parsed, View), answer.content
        self.view, self.tag = answer.parsed, answer.headers["ETag"]
        return self.view

    def post(self, move: Move) -> m.Problem | None:
        """Make a move if nobody has moved since the last look; why it is refused, if it is."""
        answer = submit_move.sync_detailed(self.game, client=self.client, body=move, if_match=self.tag)
        if isinstance(answer.parsed, m.Problem):
            assert answer.parsed.status == answer.status_code
            return answer.parsed
        assert isinstance(answer.parsed, View), answer.content
        self.view, self.tag = answer.parsed, answer.headers["ETag"]
        return None

    def play(self, move: Move) -> None:
        refused = self.post(move)
        assert refused is None, refused


def choose(view: View) -> Move:
    """Lay down what can be, else throw what leaves the least deadwood; leave the upcard, and draw from the stock."""
    legal: list[m.GinLegalMove | m.RummyLegalMove] = [*view.legal_moves]
    for listed in legal:
        assert type(listed.move) is CLASSES[listed.move.type_], listed
    order = list(CLASSES)
    best = min(legal, key=lambda listed: (order.index(listed.move.type_), deadwood(listed)))
    return best.move


def deadwood(listed: m.GinLegalMove | m.RummyLegalMove) -> int:
    return listed.deadwood if isinstance(listed, m.GinLegalMove) and isinstance(listed.deadwood, int) else 0


def seated(url: str, key: str, game: str, match: dict[str, Any]) -> tuple[Player, Player]:
    """A backend creates a game for Ann, and Ben joins it by its invite."""
    seats, sandbox = [m.SeatRequest(name="Ann"), m.SeatRequest()], m.Sandbox(match["decks"])
    rules = {"target": match["target"]}
    wanted = (
        m.CreateGinGame("gin", m.GinRulesetOverrides(**rules), seats, 0, sandbox=sandbox)
        if game == "gin"
        else m.CreateRummyGame("rummy", m.RummyRulesetOverrides(**rules), seats, 0, sandbox=sandbox)
    )
    created = create_game.sync(client=AuthenticatedClient(url, key), body=wanted)
    assert isinstance(created, m.CreatedGame), created
    (held,) = created.tokens
    ann = Player(AuthenticatedClient(url, held.token), created.game.id, held.seat)
    joined = join_game.sync(client=Client(url), body=m.JoinGameRequest(created.invite, "Ben"))
    assert isinstance(joined, m.JoinedGame), joined
    return ann, Player(AuthenticatedClient(url, joined.token), joined.game.id, joined.seat)


def begin(ann: Player, ben: Player) -> None:
    """Ann deals; then Ben, who did not look, is told so, and Ann, who is not on turn, is told so too."""
    ann.look()
    before = ben.look()
    assert ben.look() is before, "nothing has happened, so the view is not sent again"
    ann.play(m.DealMove("deal"))

    stale = ben.post(m.PassMove("pass"))
    assert stale is not None
    assert (stale.status, stale.code) == (412, m.ProblemCode.STALE_VERSION)
    assert stale.version == ben.look().version == before.version + 1

    refused = ann.post(m.DrawMove("draw", m.DrawSource.STOCK))
    assert refused is not None
    assert (refused.status, refused.code) == (409, m.ProblemCode.NOT_YOUR_TURN)
    assert refused.turn == ben.seat


def play(url: str, key: str, game: str, match: dict[str, Any]) -> dict[str, Any]:
    """Play a match to its end: the types of the moves made, and the totals of the seats."""
    players = seated(url, key, game, match)
    begin(*players)
    types = {"deal"}
    while (view := players[0].look()).status == m.GameStatus.PLAYING:
        assert view.turn is not None
        player = players[view.turn.seat or 0]
        move = choose(player.look())
        player.play(move)
        types.add(move.type_)

    score = get_score.sync(view.id, client=players[0].client)
    assert isinstance(score, m.Score)
    assert score.over
    assert score == view.score
    assert score.totals == [sum(line.points for line in score.lines if line.seat == seat) for seat in (0, 1)]
    return {"types": sorted(types), "totals": score.totals, "winners": score.winners}


if __name__ == "__main__":
    url, key, path = sys.argv[1:]
    matches = json.loads(Path(path).read_text())
    print(json.dumps({game: play(url, key, game, match) for game, match in matches.items()}))
