import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import compression from "compression";
import { describe, expect, test } from "vitest";
import {
  clientAddress,
  contentSecurityPolicy,
  isCrossSite,
  paymentSites,
  errorStatusOf,
  waitForDrainTogether,
} from "./http.server.ts";

const APP = "https://kickabout.example";
const post = (headers: Record<string, string>) =>
  new Request(`${APP}/events`, { method: "POST", headers });

describe("a form post from another site", () => {
  test.each([
    ["same-origin", APP, false],
    ["same-origin", null, false],
    ["none", null, false],
    ["same-site", "https://evil.kickabout.example", true],
    ["same-site", APP, true],
    ["cross-site", "https://evil.example", true],
    ["cross-site", APP, true],
    ["cross-site", null, true],
    ["same-origin", "https://evil.example", true],
    // Older browsers send the origin alone; a sandboxed page sends "null".
    [null, APP, false],
    [null, "https://evil.example", true],
    [null, "http://kickabout.example.evil.example", true],
    [null, "null", true],
    [null, "garbage", true],
    // No browser, no cookies.
    [null, null, false],
  ])("sec-fetch-site %s, origin %s: %s", (site, origin, response) => {
    const request = post({
      ...(site && { "sec-fetch-site": site }),
      ...(origin && { origin }),
      host: "kickabout.example",
    });
    expect(isCrossSite(request, APP)).toBe(response);
  });

  test("reading is never rejected", () => {
    const headers = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    expect(isCrossSite(new Request(APP, { headers }), APP)).toBe(false);
    expect(isCrossSite(new Request(APP, { headers, method: "HEAD" }), APP)).toBe(false);
  });

  test("the address that the browser itself sees counts as ours", () => {
    const request = post({ origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" });
    expect(isCrossSite(request, "http://localhost:3000")).toBe(false);
  });
});

describe("the client's address", () => {
  test.each([
    [0, "203.0.113.9", "10.0.0.1"],
    [1, "203.0.113.9", "203.0.113.9"],
    [1, "1.2.3.4, 203.0.113.9", "203.0.113.9"],
    [2, "1.2.3.4, 203.0.113.9, 10.0.0.7", "203.0.113.9"],
    [2, "203.0.113.9", "10.0.0.1"],
    [1, "", "10.0.0.1"],
    [1, null, "10.0.0.1"],
  ])("%i proxies, X-Forwarded-For %j: %s", (proxies, forwarded, address) => {
    expect(clientAddress(forwarded, "10.0.0.1", proxies)).toBe(address);
  });
});

test("the policy runs only our own scripts and the page's nonce", () => {
  expect(contentSecurityPolicy()).toMatch(/; script-src 'self'$/);
  const page = contentSecurityPolicy({ scripts: ["'nonce-abc'"] });
  expect(page).toMatch(/; script-src 'self' 'nonce-abc'$/);
  expect(page).not.toMatch(/script-src[^;]*unsafe/);
  expect(contentSecurityPolicy()).toContain("frame-ancestors 'none'");
});

test("forms stay here, or lead on to where it is paid", () => {
  expect(contentSecurityPolicy()).toContain("; form-action 'self'; ");
  const formTargets = ["https://buy.stripe.com", "https://billing.stripe.com"];
  expect(contentSecurityPolicy({ formTargets })).toContain(
    "; form-action 'self' https://buy.stripe.com https://billing.stripe.com; ",
  );
});

test.each([
  [
    "https://buy.stripe.com/",
    "sk_live_1",
    ["https://buy.stripe.com", "https://billing.stripe.com"],
  ],
  [
    "https://pay.kick.example/a/",
    "rk_test_1",
    ["https://pay.kick.example", "https://billing.stripe.com"],
  ],
  ["https://buy.stripe.com/", undefined, ["https://buy.stripe.com"]],
  [`${APP}/demo/checkout/`, undefined, []],
  ["/demo/checkout/", undefined, []],
])("links below %s with the key %s lead to %j", (paymentLinkPrefix, stripeSecretKey, sites) => {
  expect(paymentSites({ appUrl: APP, paymentLinkPrefix, stripeSecretKey })).toEqual(sites);
});

test.each([
  ["GET", "kick.example", null],
  ["HEAD", "localhost:3000", null],
  ["POST", "[::1]:3000", null],
  ["PUT", "kick.example", 405],
  ["TRACE", "kick.example", 405],
  ["GET", "a b", 400],
  ["GET", "", 400],
  ["GET", ":99999", 400],
  ["GET", undefined, 400],
  ["GET", "x@evil.example", 400],
  ["GET", "evil.example?", 400],
  ["GET", "evil.example#", 400],
  ["GET", "a/a/a", 400],
  ["GET", "a\\a", 400],
])("%s with host %j", (method, host, status) => {
  expect(errorStatusOf({ method, url: "/", headers: { host } } as IncomingMessage)).toBe(status);
});

test.each(["*", "http://evil.example/events", "http://[::1/"])(
  "a target that is no path: %s",
  (url) => {
    const headers = { host: "kick.example" };
    expect(errorStatusOf({ method: "GET", url, headers } as IncomingMessage)).toBe(400);
  },
);

const statusOf = (url: string, host = "kick.example") =>
  errorStatusOf({ method: "GET", url, headers: { host } } as IncomingMessage);

test.each([
  ["/", 999, "a"],
  ["/?q=", 7_996, "a"],
  ["/auth?redirectTo=", 1_500, "%252F"],
  ["/a", 15, "/a"],
  ["/assets", 15, "/a"],
  ["/events/1", 14, "/"],
  ["/files", 15, "\\a"],
  ["/__manifest?version=1&paths=%2Fa", 299, "%2C%2Fb"],
  ["/__manifest?paths=a", 299, ",b"],
])(
  "what an address may be and what is too long for the router: %s, %i × %s",
  (start, most, part) => {
    expect(statusOf(start + part.repeat(most))).toBeNull();
    expect(statusOf(start + part.repeat(most + 200))).toBe(414);
  },
);

test("an address that cannot be decoded is invalid, for the router would log it", () => {
  expect(statusOf("/calendar/secret%.ics")).toBe(400);
  expect(statusOf("/calendar/secret%C3%28")).toBe(400);
  expect(statusOf("/venues?q=100%")).toBeNull();
  expect(statusOf("/venues/%C3%A4")).toBeNull();
});

test("an overlong host is invalid", () => {
  expect(statusOf("/", `${"a".repeat(250)}.example:443`)).toBe(400);
});

test("a long compressed file leaves no listener for each of its pieces", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on("warning", note);
  const piece = randomBytes(200_000).toString("base64");
  const compress = compression();
  let waits = 0;
  const send = async (response: ServerResponse) => {
    waitForDrainTogether(response);
    response.writeHead(200, { "Content-Type": "text/csv" });
    for (let n = 0; n < 40; n += 1) {
      if (response.write(piece)) continue;
      waits += 1;
      await untilDrained(response);
    }
    response.end();
  };
  const server = createServer((request, response) =>
    compress(request as never, response as never, () => void send(response)),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const got = await fetch(`http://127.0.0.1:${port}/`);
  expect(got.headers.get("content-encoding")).toMatch(/br|gzip/);
  expect((await got.text()).length).toBe(40 * piece.length);
  server.close();
  await new Promise(setImmediate);
  process.off("warning", note);
  expect(waits).toBeGreaterThan(20);
  expect(warnings).toEqual([]);
});

/** Waits like @remix-run/node-fetch-server. */
function untilDrained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      response.removeListener("drain", end);
      resolve();
    };
    response.once("drain", end);
  });
}
