import { randomUUID } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { toFollowedChat } from "#app/routes/games/followed-chat.ts";
import { followGames } from "./live-stream.ts";

const line = (number: number, gone: string | null = null) => ({ number, gone });
const isUpdate = (messages: unknown, shown: ReturnType<typeof line>[]) =>
  toFollowedChat("g", shown).isUpdate(JSON.stringify({ messages }));
const SHOWN_MESSAGES = [line(4, "Deleted"), line(5), line(6)];

test.each([
  ["a new message", [line(7)], true],
  ["a new one that is gone already", [line(7, "Deleted")], true],
  ["one that it shows and is gone", [line(5, "Deleted")], true],
  ["one that it shows as gone", [line(4, "Deleted")], false],
  ["one that is gone and older than it shows", [line(3, "Deleted")], false],
  ["one that it shows already", [line(6)], false],
  ["more than one event holds", null, true],
])("of its chat a page reads itself again for %s: %s", (_, received, expected) => {
  expect(isUpdate(received, SHOWN_MESSAGES)).toBe(expected);
});

test("a chat without messages rereads for its first", () => {
  expect([isUpdate([line(1)], []), isUpdate([], [])]).toEqual([true, false]);
});

/** What a browser has, as far as a stream goes. */
class Source {
  static last: Source;
  readonly listeners = new Map<string, (event: { data: string }) => void>();
  readonly address: string;
  constructor(address: string) {
    this.address = address;
    Source.last = this;
  }
  addEventListener = (name: string, listener: (event: { data: string }) => void) =>
    void this.listeners.set(name, listener);
  close() {}
}
afterEach(() => vi.unstubAllGlobals());

function stubBrowser() {
  vi.stubGlobal("EventSource", Source);
  vi.stubGlobal("document", { hidden: false, addEventListener() {}, removeEventListener() {} });
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
}

test("a list follows 200 games, which proxies take as an address, and of more the soonest", () => {
  stubBrowser();
  const ids = Array.from({ length: 201 }, () => randomUUID());
  const stop = followGames(ids, { update: () => false, lose: () => true });
  const followed = new URL(Source.last.address, "http://localhost").searchParams.get("games");
  expect(followed?.split(",")).toEqual(ids.slice(0, 200));
  expect(Source.last.address.length).toBeLessThan(8_000);
  stop();
});

test("a game's page follows its chat from what it shows, and rereads for new messages alone", () => {
  stubBrowser();
  const rereading = { soon: vi.fn<() => void>(), pace() {}, stop() {} };
  const chat = () => toFollowedChat("g", SHOWN_MESSAGES);
  const stop = followGames([], { update: () => false, lose: () => true, rereading, chat });
  expect(Source.last.address).toContain("chat=g&after=6");
  const receive = (messages: unknown) =>
    Source.last.listeners.get("chat")!({ data: JSON.stringify({ messages }) });
  receive([line(2, "Deleted"), line(4, "Deleted")]);
  expect(rereading.soon).not.toHaveBeenCalled();
  receive([line(7)]);
  expect(rereading.soon).toHaveBeenCalledOnce();
  stop();
});
