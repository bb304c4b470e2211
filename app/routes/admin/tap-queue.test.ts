import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type * as Queue from "./tap-queue.ts";
import type { Tap } from "./tap-queue.ts";

type Line = (fields: Record<string, string>) => Response | Promise<Response>;

const BEN = "11111111-1111-4111-8111-111111111111";
const ROW = "22222222-2222-4222-8222-222222222222";
const OTHER = "33333333-3333-4333-8333-333333333333";
const sent: Record<string, string>[] = [];
let line: Line;
let queue: typeof Queue;
const own = { gameId: "game", userId: BEN };

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal("localStorage", aStorage());
  vi.stubGlobal("fetch", async (path: string, { body }: { body: URLSearchParams }) => {
    const fields = Object.fromEntries(body);
    sent.push({ path, ...fields });
    return line(fields);
  });
  sent.length = 0;
  line = saved;
  await openPage();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Its keys are the stored names, as in a browser. */
function aStorage() {
  const methods = {
    getItem: (name: string) => kept[name] ?? null,
    setItem: (name: string, text: string) => void (kept[name] = text),
    removeItem: (name: string) => void delete kept[name],
  };
  const kept: Record<string, string> = Object.create(methods);
  return kept;
}

/** Opens it like a reload: the storage alone is left. */
async function openPage() {
  vi.resetModules();
  queue = await import("./tap-queue.ts");
}

const json = (body: object, status = 200) => Response.json(body, { status });
const saved: Line = ({ to }) => json({ ok: true, current: to || null });
const lost: Line = () => Promise.reject(new TypeError("Failed to fetch"));

let number = 0;
function tap(to: Tap["to"], from: Tap["from"] = "", bookingId = ROW): Promise<void> {
  number += 1;
  queue.addTap(own, { id: String(number), bookingId, from, to });
  return settled();
}
const settled = () => vi.advanceTimersByTimeAsync(0).then(() => {});
const laterOn = () => vi.advanceTimersByTimeAsync(10_000).then(() => {});
const statusOf = (bookingId = ROW) =>
  queue.rowStatuses(queue.readTaps(own), queue.readResults(own))[bookingId];
/** By its name, which the offline page reads too. */
const NAME = `kept taps ${BEN} game`;
const stored = (): { at: number; value: Tap[] } | null => JSON.parse(localStorage.getItem(NAME)!);

test("a tap is sent for the account and game that it was made for, and is saved", async () => {
  await tap("CheckedIn");
  expect(sent).toEqual([
    {
      ...{ path: "/admin/games/game/tap", intent: "attendance", account: BEN },
      ...{ tapId: String(number), bookingId: ROW, from: "", to: "CheckedIn" },
    },
  ]);
  expect(statusOf()).toEqual({ state: "saved", attendance: "CheckedIn" });
  expect(queue.readTaps(own)).toEqual([]);
});

test.each<[string, Line]>([
  ["no connection", lost],
  ["a server that is down", () => new Response("down", { status: 503 })],
  ["a proxy's page", () => new Response("<h1>Wi-Fi</h1>")],
  ["an outcome that is unknown", () => json({ ok: false, problem: "Unknown" }, 503)],
  ["another shape", () => json({ ok: true })],
])("with %s it waits, and is sent again in its order", async (_, failing) => {
  line = failing;
  await tap("CheckedIn");
  await tap("NoShow", "", OTHER);
  expect([statusOf(), statusOf(OTHER)]).toEqual([{ state: "waiting" }, { state: "waiting" }]);
  line = saved;
  sent.length = 0;
  await laterOn();
  expect(sent.map(({ bookingId }) => bookingId)).toEqual([ROW, OTHER]);
  expect([statusOf()?.state, statusOf(OTHER)?.state]).toEqual(["saved", "saved"]);
});

test("what waits is kept over a reload, and sent under the same ids", async () => {
  line = lost;
  await tap("CheckedIn");
  await tap("", "CheckedIn");
  const ids = queue.readTaps(own).map(({ id }) => id);
  await openPage();
  expect(queue.readTaps(own).map(({ to }) => to)).toEqual(["CheckedIn", ""]);
  expect(statusOf()).toEqual({ state: "waiting" });
  line = saved;
  sent.length = 0;
  queue.sendTaps(own);
  await settled();
  expect(sent.map(({ tapId }) => tapId)).toEqual(ids);
  expect(statusOf()).toEqual({ state: "saved", attendance: null });
  await openPage();
  expect(queue.readTaps(own)).toEqual([]);
});

test("a tap names the mark that it was made on, and one that waits for it what that has made", async () => {
  const names = () => sent.map(({ version }) => version);
  line = ({ to }) => json({ ok: true, current: to || null, version: 8 });
  queue.addTap(own, { id: "a", bookingId: ROW, from: "", to: "CheckedIn", version: 7 });
  await tap("", "CheckedIn");
  await tap("CheckedIn", "", OTHER);
  expect(names()).toEqual(["7", "8", undefined]);
  expect(statusOf()).toEqual({ state: "saved", attendance: null, version: 8 });
  line = lost;
  queue.addTap(own, { id: "b", bookingId: ROW, from: "", to: "CheckedIn", version: 9 });
  await tap("", "CheckedIn");
  await openPage();
  sent.length = 0;
  line = ({ to }) => json({ ok: true, current: to || null, version: 10 });
  queue.sendTaps(own);
  await settled();
  expect(names()).toEqual(["9", "10"]);
});

test("another account finds nothing of it", async () => {
  line = lost;
  await tap("CheckedIn");
  expect(queue.readTaps({ ...own, userId: OTHER })).toEqual([]);
  expect(queue.readTaps({ ...own, gameId: "other" })).toEqual([]);
});

test("after a conflict the row is what it is now, and later taps of it are dropped", async () => {
  line = lost;
  await tap("CheckedIn");
  await tap("", "CheckedIn");
  await tap("CheckedIn", "", OTHER);
  const problem = 'Not saved: somebody else has changed it to "No-show".';
  line = (fields) =>
    fields["bookingId"] === ROW
      ? json({ ok: false, problem, current: "NoShow" }, 409)
      : saved(fields);
  sent.length = 0;
  await laterOn();
  expect(sent.map(({ bookingId }) => bookingId)).toEqual([ROW, OTHER]);
  expect(statusOf()).toEqual({ state: "failed", problem, attendance: "NoShow" });
  expect(statusOf(OTHER)?.state).toBe("saved");
  expect(queue.readTaps(own)).toEqual([]);
});

test("what is rejected for another account, or needs a sign-in, is said and kept", async () => {
  const problem = "Not saved: another admin is signed in here now.";
  line = () => json({ ok: false, problem }, 403);
  await tap("CheckedIn");
  expect(statusOf()).toEqual({ state: "failed", problem });
  line = () => Object.defineProperty(new Response(), "type", { value: "opaqueredirect" });
  queue.sendTaps(own);
  await settled();
  expect(statusOf()).toEqual({ state: "failed", problem: "Not saved: sign in again." });
  expect(queue.readTaps(own)).toHaveLength(1);
  line = saved;
  await laterOn();
  expect(statusOf()?.state).toBe("failed");
  queue.sendTaps(own);
  await settled();
  expect(statusOf()?.state).toBe("saved");
});

test.each<[string, number, RegExp]>([
  ["for who is no admin any more", 403, /not an admin any more\. Sign in again/],
  ["for who is not signed in", 401, /sign in again/],
  ["for a page that is too large, or not there", 413, /Open this page again/],
])("rejected by a page %s it is kept, says why, and waits for no line", async (_, status, why) => {
  line = () => new Response("<h1>No</h1>", { status });
  await tap("CheckedIn");
  expect(statusOf()).toEqual({ state: "failed", problem: expect.stringMatching(why) });
  expect(queue.readTaps(own)).toHaveLength(1);
  sent.length = 0;
  await laterOn();
  expect(sent).toEqual([]);
  line = saved;
  await openPage();
  queue.sendTaps(own);
  await settled();
  expect(statusOf()?.state).toBe("saved");
});

test("another game's taps that wait for a connection are sent without those that do not", async () => {
  const other = { ...own, gameId: "other" };
  line = () => new Response("<h1>No</h1>", { status: 403 });
  await tap("CheckedIn");
  line = lost;
  queue.addTap(other, { id: "x", bookingId: OTHER, from: "", to: "NoShow" });
  await settled();
  line = saved;
  sent.length = 0;
  await laterOn();
  expect(sent.map(({ path }) => path)).toEqual(["/admin/games/other/tap"]);
});

test.each([408, 429])("after %i, which is over soon, it waits for a connection", async (status) => {
  line = () => new Response("Later", { status });
  await tap("CheckedIn");
  expect(statusOf()).toEqual({ state: "waiting" });
  line = saved;
  await laterOn();
  expect(statusOf()?.state).toBe("saved");
});

test("a tap that another tab keeps while one is sent stays in the storage, and is sent too", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  line = () => promise;
  await tap("CheckedIn");
  const { at, value } = stored()!;
  const theirs = { ...value[0]!, id: "theirs", bookingId: OTHER };
  localStorage.setItem(NAME, JSON.stringify({ at, value: [...value, theirs] }));
  line = lost;
  resolve(json({ ok: true, current: "CheckedIn" }));
  await settled();
  expect(stored()!.value).toEqual([{ ...theirs, state: "waiting" }]);
  line = saved;
  await laterOn();
  expect(sent.at(-1)).toMatchObject({ tapId: "theirs" });
  expect([stored(), statusOf()?.state]).toEqual([null, "saved"]);
});

test("taps that were kept under the names of before are sent, with those that a tab keeps there since", async () => {
  const former = (id: string, bookingId = ROW) => ({ id, bookingId, from: "", to: "CheckedIn" });
  line = lost;
  localStorage.setItem(`taps game ${BEN}`, JSON.stringify([former("a")]));
  await openPage();
  expect(queue.listUnsaved(BEN)).toEqual([{ gameId: "game", waiting: 1, failed: 0 }]);
  localStorage.setItem(`taps game ${BEN}`, JSON.stringify([former("b", OTHER)]));
  await openPage();
  line = saved;
  sent.length = 0;
  queue.sendWaiting(BEN);
  await settled();
  expect(sent.map(({ tapId }) => tapId)).toEqual(["a", "b"]);
  expect(Object.keys(localStorage)).toEqual([]);
});

test("of more taps than can wait, what is too much is said not to be saved", async () => {
  line = lost;
  for (let count = 1; count <= 200; count += 1) await tap("CheckedIn", "", `${ROW} ${count}`);
  await tap("CheckedIn", "", OTHER);
  expect(queue.readTaps(own)).toHaveLength(200);
  expect(statusOf(OTHER)).toEqual({ state: "failed", problem: "Not saved. Try again" });
});

test("without a storage a tap is sent all the same", async () => {
  vi.stubGlobal("localStorage", undefined);
  await tap("CheckedIn");
  expect(statusOf()?.state).toBe("saved");
});

test("any page sends what waits of its account, for whichever game, and nobody else's", async () => {
  line = lost;
  await tap("CheckedIn");
  queue.addTap({ ...own, gameId: "later" }, { id: "x", bookingId: OTHER, from: "", to: "NoShow" });
  queue.addTap({ ...own, userId: OTHER }, { id: "y", bookingId: ROW, from: "", to: "NoShow" });
  await settled();
  await openPage();
  sent.length = 0;
  expect(queue.listUnsaved(BEN)).toEqual([
    { gameId: "game", waiting: 1, failed: 0 },
    { gameId: "later", waiting: 1, failed: 0 },
  ]);
  line = saved;
  queue.sendWaiting(BEN);
  expect(queue.listUnsaved(BEN)).toEqual([]);
  await settled();
  expect(sent.map(({ path }) => path)).toEqual(["/admin/games/game/tap", "/admin/games/later/tap"]);
  expect(queue.listUnsaved(BEN)).toEqual([]);
  expect(queue.listUnsaved(OTHER)).toEqual([{ gameId: "game", waiting: 1, failed: 0 }]);
});

test("what was not saved is shown until it was seen on the roster, what waits until it is sent", async () => {
  line = () => json({ ok: false, problem: "Not saved", current: "NoShow" }, 409);
  let unsaved: ReturnType<typeof queue.listUnsaved> = [];
  const { onKept } = await import("#app/ui/kept.ts");
  onKept(() => (unsaved = queue.listUnsaved(BEN)));
  await tap("CheckedIn");
  expect(unsaved).toEqual([{ gameId: "game", waiting: 0, failed: 1 }]);
  line = lost;
  await tap("CheckedIn", "", OTHER);
  expect(unsaved).toEqual([{ gameId: "game", waiting: 1, failed: 1 }]);
  queue.clearFailures(own);
  expect(queue.listUnsaved(BEN)).toEqual([{ gameId: "game", waiting: 1, failed: 0 }]);
  expect(statusOf(OTHER)?.state).toBe("waiting");
});
