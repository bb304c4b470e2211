import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type * as Kept from "./kept.ts";

const DAY = 86_400_000;
const NOW = Date.parse("2026-11-29T10:00:00Z");

/** A browser's, whose keys are its own properties. */
class Store {
  getItem = (key: string) => (this as unknown as Record<string, string>)[key] ?? null;
  setItem(key: string, value: string) {
    Object.assign(this, { [key]: value });
  }
  removeItem(key: string) {
    Reflect.deleteProperty(this, key);
  }
}

function throwFull() {
  throw new DOMException("full", "QuotaExceededError");
}

let kept: typeof Kept;
let [ada, bo] = ["", ""];

beforeEach(async () => {
  vi.useFakeTimers({ now: NOW });
  vi.stubGlobal("localStorage", new Store());
  vi.stubGlobal("sessionStorage", new Store());
  await openPage();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Opens it like a reload: the storage alone is left. */
async function openPage() {
  vi.resetModules();
  kept = await import("./kept.ts");
  ada = kept.keptKey("tickets", "next", "ada");
  bo = kept.keptKey("tickets", "next", "bo");
}

test.each<[Kept.Kind, number]>([
  ["taps", 30],
  ["chat", 7],
  ["field", 7],
  ["draft", 7],
  ["tickets", 60],
])("a kept %s lasts for %i days after its last change, and no longer", async (kind, days) => {
  const key = kept.keptKey(kind, "one of them", "ada");
  expect(kept.writeKept(key, ["Fives"])).toBe(true);
  vi.setSystemTime(NOW + days * DAY - 1);
  await openPage();
  expect(kept.readKept(key)).toEqual(["Fives"]);
  vi.setSystemTime(NOW + days * DAY);
  expect(kept.readKept(key)).toBeNull();
  expect(localStorage.getItem(key)).not.toBeNull();
  await openPage();
  expect(localStorage.getItem(key)).toBeNull();
});

test("what one account keeps is not another's, and a kind is deleted of both", () => {
  const filters = kept.keptKey("filters", "/admin/players", "ada");
  kept.writeKept(ada, 1);
  kept.writeKept(bo, 2);
  kept.writeKept(filters, "?q=bo");
  localStorage.setItem("theme", "dark");
  expect([ada, bo].map(kept.readKept)).toEqual([1, 2]);
  kept.deleteKept("tickets");
  expect([ada, bo, filters].map(kept.readKept)).toEqual([null, null, "?q=bo"]);
  expect([Object.keys(sessionStorage), localStorage.getItem("theme")]).toEqual([
    expect.arrayContaining([filters]),
    "dark",
  ]);
});

test("a value stays the same object until another tab changes it, which counts at once", () => {
  kept.writeKept(ada, ["Fives"]);
  const value = kept.readKept(ada);
  expect(kept.readKept(ada)).toBe(value);
  localStorage.setItem(ada, JSON.stringify({ at: NOW, value: ["Sevens"] }));
  expect(kept.readKept(ada)).toEqual(["Sevens"]);
  localStorage.setItem(ada, "{");
  expect(kept.readKept(ada)).toBeNull();
  localStorage.removeItem(ada);
  expect(kept.readKept(ada)).toBeNull();
});

test.each([
  ["without a storage", undefined],
  ["with a full one", Object.assign(new Store(), { setItem: throwFull })],
])("%s it is kept as long as the page, and said to be so", async (_, storage) => {
  vi.stubGlobal("localStorage", storage);
  const updates: unknown[] = [];
  kept.onKept(() => updates.push(kept.readKept(ada)));
  expect(kept.writeKept(ada, 1)).toBe(false);
  expect(kept.readKept(ada)).toBe(1);
  kept.deleteKept("tickets");
  expect([kept.readKept(ada), updates]).toEqual([null, [1, null]]);
  kept.writeKept(ada, 2);
  await openPage();
  expect(kept.readKept(ada)).toBeNull();
});

test("what is kept under the names of before November 29th is found, and what is none stays", async () => {
  localStorage.setItem("tickets ", "{");
  localStorage.setItem("tickets", JSON.stringify({ saved: "now", tickets: [], account: "ada" }));
  sessionStorage.setItem("list /admin/games", "?q=fives");
  localStorage.setItem("account", "ada");
  const message = { id: "m", text: "Late by five", state: "failed" };
  const box = { unsent: [message], draft: "And", changedAt: NOW - DAY };
  localStorage.setItem("chat fives ada", JSON.stringify(box));
  const draft = { at: NOW - DAY, versions: { version: "3" }, values: { title: ["Fives"] } };
  localStorage.setItem("draft ada /admin/games/new intent=save", JSON.stringify(draft));
  vi.stubGlobal("document", { documentElement: { dataset: { account: "ada" } } });
  await openPage();
  expect(kept.readKept(ada)).toEqual({ saved: "now", tickets: [] });
  expect(kept.readKept(kept.keptKey("filters", "/admin/games"))).toBe("?q=fives");
  const inChat = (["chat", "field"] as const).map((kind) => kept.keptKey(kind, "fives"));
  expect(inChat.map(kept.readKept)).toEqual([[{ ...message, state: "waiting" }], "And"]);
  const draftKey = kept.keptKey("draft", "/admin/games/new intent=save");
  expect(kept.readKept(draftKey)).toEqual({ ...draft, keys: null });
  expect(["tickets", "account"].map((key) => localStorage.getItem(key))).toEqual([null, "ada"]);
  // A tab of the former version writes on.
  localStorage.setItem("tickets", JSON.stringify({ saved: "earlier", account: "ada" }));
  await openPage();
  expect(kept.readKept(ada)).toEqual({ saved: "now", tickets: [] });
  expect(localStorage.getItem("tickets")).toBeNull();
  vi.setSystemTime(NOW + 6 * DAY);
  expect([draftKey, ...inChat].map(kept.readKept)).toEqual([null, null, null]);
});
