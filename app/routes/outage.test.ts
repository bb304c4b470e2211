import { RouterContextProvider } from "react-router";
import { afterAll, expect, test, vi } from "vitest";
import { openDatabase } from "#app/platform/db.server.ts";
import { createAdmissionControls, withOutages } from "./outage.server.ts";

// Nothing listens there.
const away = openDatabase({ host: "127.0.0.1", port: 1 });
afterAll(() => away.close());

const request = new Request("http://kickabout.test/");
const context = new RouterContextProvider();
const askDatabase = () => away.pool.query("select 1").catch(() => {});

test("a failure while the database is away becomes 503 with Retry-After", async () => {
  const response = await withOutages(async () => {
    await askDatabase();
    return new Response("as typed", { status: 500, headers: { "Content-Type": "text/x-form" } });
  })(request, context);
  expect(response.status).toBe(503);
  expect(Object.fromEntries(response.headers)).toEqual({
    "content-type": "text/x-form",
    "retry-after": "10",
  });
  expect(await response.text()).toBe("as typed");
});

test("other failures and successes stay unchanged", async () => {
  const results = [500, 503, 404, 302, 200].map(async (status) => {
    const hasOutage = status < 500;
    const response = await withOutages(async () => {
      if (hasOutage) await askDatabase();
      return new Response(null, { status });
    })(request, context);
    return [response.status, response.headers.get("Retry-After")];
  });
  expect(await Promise.all(results)).toEqual([
    [500, null],
    [503, "10"],
    [404, null],
    [302, null],
    [200, null],
  ]);
});

test("concurrent requests are limited, and one that waits too long gets a 503", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const limits = { atOnce: 1, maxWaitMs: 2_000, maxWaiting: 10 };
  const admit = createAdmissionControls({ pages: limits, pictures: limits });
  const admitFrom = (client: string, answer: () => Promise<Response>) =>
    admit(request.url, client, answer);
  const { promise, resolve } = Promise.withResolvers<Response>();
  const first = admitFrom("a", () => promise);
  const late = admitFrom("b", async () => new Response("late"));
  vi.advanceTimersByTime(2_000);
  const turnedAway = await late;
  expect([turnedAway.status, turnedAway.headers.get("Retry-After")]).toEqual([503, "10"]);
  const next = admitFrom("b", async () => new Response("next"));
  resolve(new Response("done"));
  expect(await (await first).text()).toBe("done");
  expect(await (await next).text()).toBe("next");
  await expect(admitFrom("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  vi.useRealTimers();
});

test.each([
  "/files/avatars/0a-512.webp",
  "/files/photos/0a-480.avif",
  "/events/1/social.png",
  "/card/0a.png",
])("however many pictures such as %s hang, pages are answered", async (path) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const admit = createAdmissionControls();
  const hung = new Promise<Response>(() => {});
  let begun = 0;
  const pictures = Array.from({ length: 500 }, (_, n) =>
    admit(`http://kickabout.test${path}`, `client${n}`, () => ((begun += 1), hung)),
  );
  const page = admit("http://kickabout.test/events", "a", async () => new Response("page"));
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toBe(40);
  expect(await (await page).text()).toBe("page");
  await vi.advanceTimersByTimeAsync(2_000);
  const turnedAway = await Promise.all(pictures.slice(begun));
  expect(new Set(turnedAway.map(({ status }) => status))).toEqual(new Set([503]));
  vi.useRealTimers();
});
