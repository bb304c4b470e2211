import { RouterContextProvider } from "react-router";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../platform/db.server.ts";
import { atMost, withOutages } from "./outage.server.ts";

// Nothing listens there.
const away = openDatabase({ host: "127.0.0.1", port: 1 });
afterAll(() => away.close());

const request = new Request("http://kickabout.test/");
const context = new RouterContextProvider();
const askDatabase = () => away.pool.query("select 1").catch(() => {});

test("what failed on our side is 503 with Retry-After where the database was away", async () => {
  const answer = await withOutages(async () => {
    await askDatabase();
    return new Response("as typed", { status: 500, headers: { "Content-Type": "text/x-form" } });
  })(request, context);
  expect(answer.status).toBe(503);
  expect(Object.fromEntries(answer.headers)).toEqual({
    "content-type": "text/x-form",
    "retry-after": "10",
  });
  expect(await answer.text()).toBe("as typed");
});

test("what failed for another reason, and what did not fail, stays as it is", async () => {
  const answers = [500, 503, 404, 302, 200].map(async (status) => {
    const hasOutage = status < 500;
    const answer = await withOutages(async () => {
      if (hasOutage) await askDatabase();
      return new Response(null, { status });
    })(request, context);
    return [answer.status, answer.headers.get("Retry-After")];
  });
  expect(await Promise.all(answers)).toEqual([
    [500, null],
    [503, "10"],
    [404, null],
    [302, null],
    [200, null],
  ]);
});

test("so many requests are answered at a time, and the next is told to come again", async () => {
  const ends: (() => void)[] = [];
  const handle = atMost(2, () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    ends.push(() => resolve(new Response("done")));
    return promise;
  });
  const running = [handle(request, context), handle(request, context)];
  const turnedAway = await handle(request, context);
  expect([turnedAway.status, turnedAway.headers.get("Retry-After")]).toEqual([503, "10"]);
  ends.shift()!();
  expect(await (await running[0]!).text()).toBe("done");
  const next = handle(request, context);
  for (const end of ends) end();
  expect(await (await next).text()).toBe("done");
});

test("a request that fails gives its place back", async () => {
  const handle = atMost(1, () => Promise.reject(new Error("broken")));
  await expect(handle(request, context)).rejects.toThrow("broken");
  await expect(handle(request, context)).rejects.toThrow("broken");
});
