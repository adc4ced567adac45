// follow.mjs
const WAIT = 25; // seconds that a long poll asks for: less than the 60 after which many proxies cut a silent connection
const BREAKS = 2; // after so many streams in a row that brought nothing, it is long polls
const LONGEST_REST = 30_000;

/**
 * Calls `onView` with the view of a game, and again whenever it has changed, until the match is over.
 *
 * url: of the game. token: of the seat; none where spectators may look. timeout: how long an answer may take to begin.
 * silence: how long a stream may bring nothing, more than two heartbeats of the service. Both are milliseconds.
 * Rejects with an Error that has a `status` when the game cannot be read, and when `signal` is aborted.
 */
export async function follow(url, token, onView, options) {
  for await (const view of views(url, token, options)) await onView(view);
}

async function* views(url, token, { signal = new AbortController().signal, timeout = 10_000, silence = 35_000 } = {}) {
  const credential = token && { Authorization: `Bearer ${token}` };
  let [tag, version, over, mark, retry, breaks] = ["", 0, false, "", 2000, 0];

  async function ask(path, headers, limit) {
    const asked = { headers: { ...credential, ...headers }, signal: AbortSignal.any([signal, limit]) };
    const response = await fetch(url + path, asked);
    if (response.ok || response.status === 304) return response;
    const after = Number(response.headers.get("Retry-After")) * 1000 || 0;
    throw Object.assign(new Error(`refused: ${response.status}`), { status: response.status, after });
  }

  // The view, if it is another than the last. Returns whether the service was ready to wait for it.
  async function* look(wait) {
    const known = tag && { "If-None-Match": tag, Prefer: `wait=${wait}` };
    const response = await ask("", known, AbortSignal.timeout(wait * 1000 + timeout));
    if (response.status === 200) {
      const view = await response.json();
      tag = response.headers.get("ETag");
      version = view.version;
      over = view.status === "finished" || view.status === "abandoned";
      yield view;
    }
    return response.headers.has("Preference-Applied");
  }

  // The views that a stream is a reason to read, until it ends or breaks. Returns how long it asks to rest, if it does.
  async function* stream() {
    const cut = new AbortController();
    const giveUp = () => { breaks = BREAKS; cut.abort(); };
    let alarm = setTimeout(giveUp, timeout);
    try {
      const accept = { Accept: "text/event-stream", ...(mark && { "Last-Event-ID": mark }) };
      const response = await ask(`/events?after=${version}`, accept, cut.signal);
      for await (const events of arriving(response.body)) {
        clearTimeout(alarm);
        for (const event of events) {
          if (event.retry) retry = Number(event.retry);
          else breaks = 0;
          mark = event.id ?? mark;
        }
        if (events.some((event) => event.id)) yield* look(0);
        if (over) return 0;
        alarm = setTimeout(giveUp, silence);
      }
      return 0;
    } catch (fault) {
      return fault.after ?? 0;
    } finally {
      clearTimeout(alarm);
      cut.abort();
    }
  }

  for (let failures = 0; ; ) {
    let rest = 0;
    try {
      const streams = breaks < BREAKS;
      const waited = yield* look(streams ? 0 : WAIT);
      failures = 0;
      if (streams && !over) {
        breaks += 1;
        rest = yield* stream();
      }
      if (over) return;
      if (!waited) rest = Math.max(rest, retry);
    } catch (fault) {
      if (fault.status < 500 && fault.status !== 429) throw fault;
      rest = fault.after || Math.min(retry * 2 ** failures, LONGEST_REST);
      failures += 1;
    }
    signal.throwIfAborted();
    await pause(rest * (1 + Math.random() / 2), signal);
  }
}

// The events of a stream, each by name and value of its fields: a list for each chunk, which may be empty.
async function* arriving(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let begun = ""; ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (begun + value).split("\n\n");
    begun = blocks.pop();
    yield blocks.map((block) => Object.fromEntries(block.split("\n").map((line) => line.split(/: ?(.*)/))));
  }
}

function pause(milliseconds, signal) {
  return new Promise((resume) => {
    const done = () => { clearTimeout(timer); signal.removeEventListener("abort", done); resume(); };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
  });
}
