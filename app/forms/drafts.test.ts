import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deleteDrafts, deleteOldDrafts, draftKey, readDraft, writeDraft } from "./drafts.ts";

const DAY = 86_400_000;
const NOW = Date.parse("2026-11-21T10:00:00Z");
const [ada, bo] = ["ada", "bo"].map((account) => draftKey(account, "/admin/games/new", ""));
const draft = { at: NOW, versions: { version: "3" }, values: { title: ["Fives"] } };

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

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  vi.stubGlobal("localStorage", new Store());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

test("a draft is kept for seven days, and no longer", () => {
  writeDraft(ada!, draft);
  vi.setSystemTime(NOW + 7 * DAY - 1);
  expect(readDraft(ada!)).toEqual(draft);
  vi.setSystemTime(NOW + 7 * DAY);
  expect(readDraft(ada!)).toBeNull();
  deleteOldDrafts();
  expect(localStorage.getItem(ada!)).toBeNull();
});

test("another account's form leaves drafts that are not too old, and signing out none", () => {
  writeDraft(ada!, draft);
  writeDraft(bo!, draft);
  localStorage.setItem("theme", "dark");
  deleteOldDrafts();
  expect([readDraft(ada!), readDraft(bo!)]).toEqual([draft, draft]);
  deleteDrafts();
  expect([readDraft(ada!), readDraft(bo!)]).toEqual([null, null]);
  expect(localStorage.getItem("theme")).toBe("dark");
});

test("without storage, and of what is no draft, there is none", () => {
  localStorage.setItem(ada!, "{");
  expect(readDraft(ada!)).toBeNull();
  vi.stubGlobal("localStorage", undefined);
  expect([readDraft(ada!), writeDraft(ada!, draft)]).toEqual([null, false]);
  expect(() => [deleteDrafts(), deleteOldDrafts()]).not.toThrow();
});
