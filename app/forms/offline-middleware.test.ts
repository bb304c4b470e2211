import {
  data,
  type DataStrategyResult,
  UNSAFE_ErrorResponseImpl as ErrorResponse,
} from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { OUTCOME_UNKNOWN } from "./messages.ts";
import { keepPage, readQuietly, sendQuietly } from "./offline-middleware.ts";

afterEach(() => vi.unstubAllGlobals());

const HTML = "\n<html><head><title>nginx</title></head></html>";

/** Fails like the router, which wraps it, where the body of an answer is no data. */
function undecodable() {
  return data(new Error("Unable to decode turbo-stream response"), undefined);
}

/** What the router gets for a form that ended like this. */
async function ended(
  result: unknown,
  type: DataStrategyResult["type"] = "error",
): Promise<DataStrategyResult | undefined> {
  const request = new Request("http://kickabout.test/events/1", { method: "POST" });
  const all = { page: { type, result } };
  const kept = await keepPage({ request } as Parameters<typeof keepPage>[0], async () => all);
  return (kept as Record<string, DataStrategyResult>).page;
}

test("a form whose outcome is unknown leaves its page as it is", async () => {
  const unknown = new ErrorResponse(503, OUTCOME_UNKNOWN.title, OUTCOME_UNKNOWN);
  expect(await ended(unknown)).toMatchObject({
    type: "data",
    result: { data: null, init: { status: 503 } },
  });
});

test.each([
  ["a body that a proxy does not let through", new ErrorResponse(413, "", HTML)],
  ["a proxy without a server behind it", new ErrorResponse(502, "Bad Gateway", HTML)],
  ["a server that is too busy", new ErrorResponse(503, "Service Unavailable", "Too many")],
  ["a proxy that has waited too long", new ErrorResponse(504, "Gateway Time-out", "")],
  ["a firewall", new ErrorResponse(403, "Forbidden", HTML)],
  ["a page of another site, in place of data", undecodable()],
])("a form that is answered by %s leaves its page as it is", async (_, result) => {
  expect(await ended(result)).toMatchObject({
    type: "data",
    result: { data: null, init: { status: 503 } },
  });
});

test.each([
  ["saved", undefined, true],
  ["with too few credits", 402, true],
  ["of what is gone", 404, true],
  ["where somebody else was first", 409, true],
  ["with a question", 200, true],
  ["typed wrong", 422, false],
  ["that failed", 500, false],
])("after a form %s the page is read again: %s, %s", async (_, status, isRead) => {
  const sent = { formError: "Look again" };
  const kept = await ended(data(sent, status), "data");
  // What the router does: not with the status of an error.
  const { init } = kept!.result as { init?: ResponseInit };
  expect((init?.status ?? 200) < 400).toBe(isRead);
  expect(kept).toMatchObject({ type: "data", result: { data: sent } });
});

test.each([
  ["no right to it", new ErrorResponse(403, "Forbidden", null)],
  ["nothing at its address", new ErrorResponse(404, "Not Found", "no game")],
  ["a failure of the action", data(new Error("Unexpected Server Error"), 500)],
])("a form with an answer of ours is left to the error screen: %s", async (_, result) => {
  expect(await ended(result)).toMatchObject({ type: "error", result });
});

test("a page that says itself what was not sent stays, also where no server answers", async () => {
  const results: unknown[] = [
    new TypeError("Failed to fetch"),
    new ErrorResponse(503, "Service Unavailable", ""),
    new ErrorResponse(403, "Forbidden", null),
  ];
  const received: unknown[] = [];
  for (const result of results) {
    let kept: DataStrategyResult | undefined;
    const answers = await sendQuietly(async () => void (kept = await ended(result)));
    received.push([answers, kept?.type]);
  }
  expect(received).toEqual([
    [[], "data"],
    [[], "data"],
    [[], "error"],
  ]);
});

test("a page that sends by itself gets what the actions have returned meanwhile, whatever the status", async () => {
  const [sent, wrong] = [{ sent: "1" }, { formError: "Too long" }];
  const answers = await sendQuietly(async () => {
    await ended(data(sent), "data");
    await ended(data(wrong, 422), "data");
  });
  expect(answers).toEqual([sent, wrong]);
  await ended(data(sent), "data");
  expect(answers).toHaveLength(2);
});

test.each([
  ["a server that is too busy", new ErrorResponse(503, "Service Unavailable", ""), false],
  ["a failure of the loader", new Error("Unexpected Server Error"), false],
  ["no connection", new TypeError("Failed to fetch"), false],
  ["no right to it any more", new ErrorResponse(403, "Forbidden", null), true],
  ["the way to sign in", new Response(null, { status: 302 }), true],
])("data that nobody asked for leaves the page: %s", async (_, result, isDone) => {
  const url = "http://kickabout.test/events/1";
  vi.stubGlobal("location", { href: `${url}#latest` });
  const args = { request: new Request(url) } as Parameters<typeof keepPage>[0];
  const kept: unknown[] = [];
  const read = async () =>
    void kept.push(await keepPage(args, async () => ({ page: { type: "error", result } })));
  expect(await readQuietly(read)).toBe(isDone);
  expect(kept).toEqual([{}]);
});
