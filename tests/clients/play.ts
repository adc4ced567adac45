/**
 * Two seats play a match of each game through the generated client, and the scores are printed.
 *
 *     node play.js URL KEY MATCHES.json
 *
 * KEY is the API key of a backend, which makes the games. MATCHES.json has, by game, the target of the match and the
 * decks of its rounds; the service must allow decks to be given.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createGame, getGame, getScore, joinGame, submitMove } from './upcard_client';
import type { CreateGameRequest, DeckInput, GinLegalMove, Line, Move, MoveAnswer } from './upcard_client';
import type { Problem, RummyLegalMove, View } from './upcard_client';
import { createClient, type Client } from './upcard_client/client';

interface Match {
    target: number;
    decks: DeckInput[];
}

/** The fields that each type of move has, in the order in which a player here likes them. */
const FIELDS: { [Type in Move['type']]: (keyof Extract<Move, { type: Type }>)[] } = {
    big_gin: ['type', 'melds'],
    spread: ['type', 'melds', 'layoffs'],
    knock: ['type', 'discard', 'melds'],
    meld: ['type', 'cards'],
    lay_off: ['type', 'card', 'meld'],
    discard: ['type', 'card'],
    pass: ['type'],
    draw: ['type', 'source'],
    deal: ['type', 'client_seed'],
};
const ORDER = Object.keys(FIELDS);

/** A seat of a game, with its last view and the tag of that. */
class Player {
    private known?: { view: View; tag: string };

    constructor(
        private readonly client: Client,
        private readonly game: string,
        readonly seat: number,
    ) {}

    /** Ask for the view, unless it is still the one that is known. */
    async look(): Promise<View> {
        const headers = this.known && { 'If-None-Match': this.known.tag };
        const { data, response } = await getGame({ client: this.client, path: { id: this.game }, headers });
        if (response?.status === 304) {
            assert(this.known);
            return this.known.view;
        }
        return this.keep(data, response);
    }

    /** Make a move if nobody has moved since the last look; why it is refused, if it is. */
    async post(move: Move): Promise<Problem | undefined> {
        const headers = this.known && { 'If-Match': this.known.tag };
        const asked = { client: this.client, path: { id: this.game }, headers, body: move };
        const { data, error, response } = await submitMove(asked);
        if (error) {
            assert.equal(error.status, response?.status);
            return error;
        }
        this.keep(data, response);
        return undefined;
    }

    async play(move: Move): Promise<void> {
        assert.equal(await this.post(move), undefined);
    }

    private keep(view: MoveAnswer | undefined, response: Response | undefined): View {
        const tag = response?.headers.get('ETag');
        assert(view && 'game' in view && tag);
        this.known = { view, tag };
        return view;
    }
}

/** Lay down what can be, else throw what leaves the least deadwood; leave the upcard, and draw from the stock. */
function choose(view: View): Move {
    const legal: (GinLegalMove | RummyLegalMove)[] = view.legal_moves;
    for (const { move } of legal) {
        const fields: string[] = FIELDS[move.type];
        assert(Object.keys(move).every((field) => fields.includes(field)), JSON.stringify(move));
    }
    const deadwood = (listed: GinLegalMove | RummyLegalMove) => ('deadwood' in listed && listed.deadwood) || 0;
    const [best] = legal.toSorted(
        (one, other) =>
            ORDER.indexOf(one.move.type) - ORDER.indexOf(other.move.type) || deadwood(one) - deadwood(other),
    );
    assert(best);
    return best.move;
}

/** A backend creates a game for Ann, and Ben joins it by its invite. */
async function seated(url: string, key: string, game: View['game'], match: Match): Promise<[Player, Player]> {
    const { target, decks } = match;
    const body: CreateGameRequest = {
        game,
        ruleset: { target },
        seats: [{ name: 'Ann' }, {}],
        first_dealer: 0,
        sandbox: { decks },
    };
    const created = await createGame({ client: createClient({ baseUrl: url, auth: key }), body });
    assert(created.data, created.error?.detail);
    const [held] = created.data.tokens;
    assert(held);
    const { id } = created.data.game;
    const ann = new Player(createClient({ baseUrl: url, auth: held.token }), id, held.seat);

    const invited = { invite: created.data.invite, name: 'Ben' };
    const joined = await joinGame({ client: createClient({ baseUrl: url }), body: invited });
    assert(joined.data && 'token' in joined.data, joined.error?.detail);
    return [ann, new Player(createClient({ baseUrl: url, auth: joined.data.token }), id, joined.data.seat)];
}

/** Ann deals; then Ben, who did not look, is told so, and Ann, who is not on turn, is told so too. */
async function begin(ann: Player, ben: Player): Promise<void> {
    await ann.look();
    const before = await ben.look();
    assert.equal(await ben.look(), before, 'nothing has happened, so the view is not sent again');
    await ann.play({ type: 'deal' });

    const stale = await ben.post({ type: 'pass' });
    assert.deepEqual([stale?.status, stale?.code], [412, 'stale_version']);
    assert.equal(stale?.version, before.version + 1);
    assert.equal(stale?.version, (await ben.look()).version);

    const refused = await ann.post({ type: 'draw', source: 'stock' });
    assert.deepEqual([refused?.status, refused?.code], [409, 'not_your_turn']);
    assert.equal(refused?.turn, ben.seat);
}

/** Play a match to its end: the types of the moves made, and the totals of the seats. */
async function play(url: string, key: string, game: View['game'], match: Match) {
    const players = await seated(url, key, game, match);
    await begin(...players);
    const types = new Set<string>(['deal']);
    let view: View;
    while ((view = await players[0].look()).status === 'playing') {
        assert(view.turn);
        const player = players[view.turn.seat === 1 ? 1 : 0];
        const move = choose(await player.look());
        await player.play(move);
        types.add(move.type);
    }

    const { data: score } = await getScore({ client: createClient({ baseUrl: url, auth: key }), path: { id: view.id } });
    assert(score?.over);
    assert.deepEqual(score.totals, view.score.totals);
    assert.deepEqual(score.totals, [sum(score.lines, 0), sum(score.lines, 1)]);
    return { types: [...types].sort(), totals: score.totals, winners: score.winners };
}

/** What the lines of a seat add up to. */
function sum(lines: Line[], seat: number): number {
    return lines.reduce((points, line) => points + (line.seat === seat ? line.points : 0), 0);
}

async function main(url: string, key: string, path: string): Promise<void> {
    const matches: Record<View['game'], Match> = JSON.parse(readFileSync(path, 'utf8'));
    const gin = await play(url, key, 'gin', matches.gin);
    const rummy = await play(url, key, 'rummy', matches.rummy);
    console.log(JSON.stringify({ gin, rummy }));
}

const [url, key, path] = process.argv.slice(2);
assert(url && key && path);
void main(url, key, path);
