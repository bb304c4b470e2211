import { type DataStrategyResult, UNSAFE_ErrorResponseImpl as ErrorResponse } from "react-router";
import { expect, test } from "vitest";
import { OUTCOME_UNKNOWN } from "#app/forms/messages.ts";
import { keepPage, sendQuietly } from "./offline-middleware.ts";

/** What the router gets for a form that ended like this. */
async function ended(result: unknown): Promise<DataStrategyResult | undefined> {
  const request = new Request("http://kickabout.test/events/1", { method: "POST" });
  const all = { page: { type: "error" as const, result } };
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

test("any other error is left to the error screen", async () => {
  const away = new ErrorResponse(503, "Service Unavailable", "");
  expect(await ended(away)).toMatchObject({ type: "error", result: away });
});

test("a page that says itself what was not sent stays, also where no server answers", async () => {
  const results: unknown[] = [
    new TypeError("Failed to fetch"),
    new ErrorResponse(503, "Service Unavailable", ""),
    new ErrorResponse(403, "Forbidden", null),
  ];
  const heard: unknown[] = [];
  for (const result of results) {
    let kept: DataStrategyResult | undefined;
    const isHeard = await sendQuietly(async () => void (kept = await ended(result)));
    heard.push([isHeard, kept?.type]);
  }
  expect(heard).toEqual([
    [false, "data"],
    [false, "data"],
    [true, "error"],
  ]);
});
