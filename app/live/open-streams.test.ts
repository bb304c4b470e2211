import { expect, onTestFinished, test } from "vitest";
import { lastOf, openLive, serveHttp } from "#test/live.ts";
import { createOpenStreams } from "./open-streams.server.ts";

test("a list that is longer than what may wait for a reader comes whole, and is followed", async () => {
  const streams = createOpenStreams();
  const { server, url } = await serveHttp((_, response) => {
    const stream = streams.open(response, 1_000);
    for (let n = 1; n <= 200; n += 1) stream.send("game", String(n));
    setImmediate(() => stream.send("game", "201"));
  });
  onTestFinished(() => {
    streams.close();
    server.close();
  });
  const list = await openLive(url, "games=1");
  expect(await lastOf(list, 201)).toBe(201);
});
