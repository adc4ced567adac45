/**
 * Pairs of players play matches of gin to the end, one match after the other, as two frontends would.
 *
 * URL: of the service. MATCHES: how many are played at once. SECONDS: for how long. TARGET: the points that end one.
 * THINK: seconds for a move, on average; 0 for none. FOLLOWED: the share of matches that are logged when they begin,
 * for others to follow. SUMMARY: the file that what was measured is written to. What is logged as an error is one.
 */
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';

const { URL, MATCHES, SECONDS, TARGET, THINK, FOLLOWED, SUMMARY } = __ENV;
/** Types of moves, those first that a player here likes best. */
const LIKED = ['big_gin', 'knock', 'spread', 'discard', 'pass', 'draw', 'deal'];

export const options = {
    scenarios: { pairs: { executor: 'constant-vus', vus: MATCHES, duration: `${SECONDS}s`, gracefulStop: '0s' } },
    summaryTrendStats: ['count', 'med', 'p(95)', 'p(99)', 'max'],
    systemTags: [],
};

/** Milliseconds that calls took, by kind; `seen` is from when a move was sent until the other player saw it. */
const took = {};
for (const kind of ['create', 'view', 'move', 'wait', 'seen']) took[kind] = new Trend(kind, true);
const finished = new Counter('finished');

/** Make one call. expected: the statuses that are no error. */
async function call(kind, path, { token, body, headers, expected = [200] }) {
    const sent = { 'Content-Type': 'application/json', ...headers };
    if (token) sent.Authorization = `Bearer ${token}`;
    const [method, text] = body ? ['POST', JSON.stringify(body)] : ['GET', null];
    const response = await http.asyncRequest(method, URL + path, text, { headers: sent });
    const { status, error } = response;
    if (!expected.includes(status)) throw new Error(`${kind}: ${status} ${error || response.body}`);
    took[kind].add(response.timings.duration);
    return response;
}

/** A match of two, from its creation to its end. */
export default async function () {
    await thinking(Math.random() * 4 * THINK); // not all at once
    const seats = [{ name: 'Ann' }, { name: 'Ben' }];
    const body = { game: 'gin', seats, ruleset: { preset: 'standard', target: Number(TARGET) } };
    const { game, tokens } = (await call('create', '/v1/games', { body, expected: [201] })).json();
    if (Math.random() < FOLLOWED) console.log(JSON.stringify({ id: game.id, tokens }));
    const sent = {}; // when each version was
    await Promise.all(tokens.map((player) => play(`/v1/games/${game.id}`, player, sent)));
    finished.add(1);
}

/** Look, move when it is this seat's turn, and look again; wait for the other when it is not. */
async function play(path, { seat, token }, sent) {
    let response = await call('view', path, { token });
    for (;;) {
        const view = response.json();
        if (view.status === 'finished') return;
        if (view.turn.seat === seat || (view.turn.seat === null && seat === 0)) {
            await thinking(-Math.log(1 - Math.random()) * THINK);
            sent[view.version + 1] = Date.now();
            await call('move', `${path}/moves`, { token, body: choose(view.legal_moves) });
            response = await call('view', path, { token });
        } else {
            response = await changed(path, token, response, sent);
        }
    }
}

/** The first other view than the one that is known, by long polls. */
async function changed(path, token, known, sent) {
    const headers = { 'If-None-Match': known.headers.Etag, Prefer: 'wait=25' };
    for (;;) {
        const response = await call('wait', path, { token, headers, expected: [200, 304] });
        if (response.status === 304) continue;
        const { version } = response.json();
        took.seen.add(Date.now() - (sent[version] ?? sent[version - 1])); // the end of a match is a version of its own
        return response;
    }
}

/** Knock as soon as it is possible, throw what leaves the least deadwood, and draw from the stock. */
function choose(legal) {
    const rank = ({ move, deadwood = 0 }) => LIKED.indexOf(move.type) * 100 + deadwood;
    return legal.reduce((best, each) => (rank(each) < rank(best) ? each : best)).move;
}

const thinking = (seconds) => seconds > 0 && new Promise((resolve) => setTimeout(resolve, seconds * 1000));

export const handleSummary = ({ metrics }) => ({ [SUMMARY]: JSON.stringify(metrics) });
