import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { context, propagation, trace } from "@opentelemetry/api";
import { afterEach, expect, test, vi } from "vitest";
import { useDatabase } from "#test/db.ts";
import { observeRequest } from "./observe-request.server.ts";
import { noteRoute } from "./request-scope.server.ts";
import { inNewSpan, startTraces } from "./traces.server.ts";

const database = useDatabase();
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  vi.unstubAllEnvs();
  for (const api of [trace, context, propagation]) api.disable();
});

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}
interface Sent {
  resourceSpans: { resource: Pick<Span, "attributes">; scopeSpans: { spans: Span[] }[] }[];
}

/** In place of a collector: what it was sent. */
async function openCollector() {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.url === "/v1/traces") sent.push(JSON.parse(body) as Sent);
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, sent };
}

/** A page that asks the database, and the port that it is at. */
async function openSite({ hasProxy = true } = {}) {
  const server = createServer((request, response) =>
    observeRequest(request, response, { isLogged: false, hasProxy }, () => {
      noteRoute("/card/:token");
      const asked = database.pool.query("select $1::text as given", ["secret"]);
      void asked.then(() => response.end("a page"));
    }),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

const spansOf = (sent: Sent[]) =>
  sent.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );

test("a collector gets a request with its statements, below the proxy's span, and no address or value", async () => {
  const collector = await openCollector();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url);
  const end = await startTraces();
  const port = await openSite();
  const [traceId, parent] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  const headers = { traceparent: `00-${traceId}-${parent}-01` };
  await (await fetch(`http://127.0.0.1:${port}/card/abc?email=aino`, { headers })).text();
  await inNewSpan("mail.answer", async () => {});
  await end();
  const spans = spansOf(collector.sent);
  const request = spans.find(({ name }) => name === "GET /card/:token")!;
  expect(request).toMatchObject({ traceId, parentSpanId: parent });
  const statement = spans.find(({ name }) => name === "SELECT")!;
  expect(statement).toMatchObject({ traceId, parentSpanId: request.spanId });
  expect(spans.map(({ name }) => name)).toContain("mail.answer");
  const [resource] = collector.sent.flatMap(({ resourceSpans }) => resourceSpans);
  expect(JSON.stringify(resource)).toContain('"kickabout"');
  expect(JSON.stringify(collector.sent)).not.toMatch(/secret|aino|abc\?|card\/abc/);
});

/** The traces of one request that names its parent. */
async function tracesOf(traceparent: string, site?: { hasProxy: boolean }): Promise<Span[]> {
  const collector = await openCollector();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url);
  const end = await startTraces();
  const port = await openSite(site);
  const headers = { traceparent, tracestate: "aino=uni", baggage: "aino=uni" };
  await (await fetch(`http://127.0.0.1:${port}/`, { headers })).text();
  await end();
  expect(JSON.stringify(collector.sent)).not.toContain("aino");
  return spansOf(collector.sent);
}

const PARENT = "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331";

test("without a proxy a client does not say which trace it belongs to", async () => {
  const spans = await tracesOf(`00-${PARENT}-01`, { hasProxy: false });
  expect(spans).toHaveLength(2);
  for (const { traceId } of spans) expect(traceId).not.toBe(PARENT.slice(0, 32));
});

test.each(["parentbased_traceidratio", "traceidratio", "always_off"])(
  "a parent that is sampled does not switch on what %s leaves out",
  async (sampler) => {
    vi.stubEnv("OTEL_TRACES_SAMPLER", sampler);
    vi.stubEnv("OTEL_TRACES_SAMPLER_ARG", "0");
    expect(await tracesOf(`00-${PARENT}-01`)).toEqual([]);
  },
);

test("nor does one that is not sampled switch it off", async () => {
  const [span] = await tracesOf(`00-${PARENT}-00`);
  expect(span).toMatchObject({ traceId: PARENT.slice(0, 32) });
});

test.each(["", "00-x-y-01", `00-${"0".repeat(32)}-b7ad6b7169203331-01`, `01-${PARENT}-01`])(
  "a parent '%s' is none",
  async (traceparent) => {
    const spans = await tracesOf(traceparent);
    expect(spans).toHaveLength(2);
    for (const { traceId } of spans) expect(traceId).toMatch(/^(?!0{32}|0af7)[0-9a-f]{32}$/);
  },
);

test("between requests nothing is recorded", async () => {
  const collector = await openCollector();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url);
  const end = await startTraces();
  await database.pool.query("select 1");
  await end();
  expect(spansOf(collector.sent)).toEqual([]);
});

test("without a collector requests are served, in no span", async () => {
  const port = await openSite();
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("a page");
  expect(trace.getActiveSpan()).toBeUndefined();
});
