import type { IncomingMessage } from "node:http";
import { describe, expect, test, vi } from "vitest";
import {
  clientAddress,
  contentSecurityPolicy,
  isCrossSite,
  paymentSites,
  refusedStatus,
  type Sender,
  withinBodyLimit,
} from "./http.server.ts";

const APP = "https://kickabout.example";
const post = (headers: Record<string, string>, body?: BodyInit) => {
  const init = { method: "POST", headers, ...(body !== undefined && { body }) };
  return new Request(`${APP}/events`, { ...init, ...(isStream(body) && { duplex: "half" }) });
};
const everybody = async () => true;
const within = (request: Request) => withinBodyLimit(request, everybody);
const isStream = (body: unknown) => body instanceof ReadableStream;

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
    // No browser, nobody's cookies.
    [null, null, false],
  ])("sec-fetch-site %s, origin %s: %s", (site, origin, answer) => {
    const request = post({
      ...(site && { "sec-fetch-site": site }),
      ...(origin && { origin }),
      host: "kickabout.example",
    });
    expect(isCrossSite(request, APP)).toBe(answer);
  });

  test("reading is never refused", () => {
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
    const request = post(forwarded === null ? {} : { "x-forwarded-for": forwarded });
    expect(clientAddress(request, "10.0.0.1", proxies)).toBe(address);
  });
});

describe("the body's limit", () => {
  const LIMIT = 64 * 1024;
  const DROPPED = 8 * 1024 * 1024;
  const chunked = (size: number) => new Blob(["x".repeat(size)]).stream();

  test.each([
    ["with its length", (size: number) => "x".repeat(size)],
    ["in chunks", chunked],
  ])("%s: at the limit it passes, a byte more does not", async (_, body) => {
    const kept = await within(post({ "x-kept": "1" }, body(LIMIT)));
    expect(kept).toMatchObject({ method: "POST" });
    expect(kept.headers.get("x-kept")).toBe("1");
    expect((await kept.text()).length).toBe(LIMIT);
    expect(await within(post({}, body(LIMIT + 1)))).toMatchObject({ status: 413 });
  });

  test("Stripe's events may be 256 kB", async () => {
    const send = (body: string) =>
      within(new Request(`${APP}/webhooks/stripe`, { method: "POST", body }));
    expect(await send("x".repeat(256 * 1024))).toBeInstanceOf(Request);
    expect(await send("x".repeat(256 * 1024 + 1))).toMatchObject({ status: 413 });
  });

  describe("a form with a file", () => {
    const MEGABYTE = 1024 * 1024;
    const upload = (size: number, path = "/profile", type = "multipart/form-data; boundary=x") => {
      const headers = { "content-type": type };
      const init = { method: "POST", headers, body: chunked(size), duplex: "half" };
      return within(new Request(APP + path, init as RequestInit));
    };

    test("may be six megabytes, and not a byte more", async () => {
      for (const path of ["/profile", "/profile.data"]) {
        const kept = await upload(6 * MEGABYTE, path);
        expect((await kept.arrayBuffer()).byteLength).toBe(6 * MEGABYTE);
        expect(await upload(6 * MEGABYTE + 1, path)).toMatchObject({ status: 413 });
      }
    });

    test("may be 64 megabytes where it brings a venue's photos", async () => {
      const path = "/admin/venues/0a1b/photos";
      for (const at of [path, `${path}.data`]) {
        expect(await upload(64 * MEGABYTE, at)).toBeInstanceOf(Request);
        expect(await upload(64 * MEGABYTE + 1, at)).toMatchObject({ status: 413 });
      }
      const answers = [
        await upload(LIMIT + 1, path, "application/x-www-form-urlencoded"),
        await upload(LIMIT + 1, "/admin/venues/0a1b"),
      ];
      for (const answer of answers) expect(answer).toMatchObject({ status: 413 });
    });

    test("only there, and only as multipart", async () => {
      const answers = [
        await upload(LIMIT + 1, "/bookings"),
        await upload(LIMIT + 1, "/profile/x"),
        await upload(LIMIT + 1, "/profile", "application/x-www-form-urlencoded"),
        await upload(LIMIT + 1, "/profile", "text/plain"),
      ];
      for (const answer of answers) expect(answer).toMatchObject({ status: 413 });
    });

    test("of who may not send one is dropped, and the route is asked without it", async () => {
      const asked: Sender[] = [];
      const nobody = async (sender: Sender) => {
        asked.push(sender);
        return false;
      };
      const send = (path: string, size: number) => {
        const headers = {
          "content-type": "multipart/form-data; boundary=x",
          "content-length": String(size),
        };
        const init = { method: "POST", headers, body: chunked(size), duplex: "half" };
        return withinBodyLimit(new Request(APP + path, init as RequestInit), nobody);
      };
      for (const [path, size] of [
        ["/profile", LIMIT + 1],
        ["/admin/partners/0a1b", DROPPED],
        ["/admin/venues/0a1b/photos.data", DROPPED + 1],
      ] as const) {
        const kept = (await send(path, size)) as Request;
        expect([kept.method, await kept.text()]).toEqual(["POST", ""]);
      }
      expect(asked).toEqual(["player", "admin", "admin"]);
    });

    test("slow senders together hold so much and no more; small forms pass all the while", async () => {
      const stalled = Array.from({ length: 30 }, () => stalledUpload(5 * MEGABYTE));
      const waiting = stalled.map(({ request }) => within(request));
      await vi.waitFor(() => expect(stalled.every(({ isRead }) => isRead())).toBe(true));
      const refused = (await upload(5 * MEGABYTE)) as Response;
      expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "10"]);
      // One that is too large by itself would be refused later as well.
      expect(await upload(6 * MEGABYTE + 1)).toMatchObject({ status: 413 });
      expect(await upload(LIMIT)).toBeInstanceOf(Request);
      for (const { finish } of stalled) finish();
      const kept = (await Promise.all(waiting)).filter((answer) => answer instanceof Request);
      expect(kept.length).toBeGreaterThan(15);
      expect(kept.length).toBeLessThan(25);
      expect(await upload(5 * MEGABYTE)).toBeInstanceOf(Request);
    });
  });

  test("what is far over the limit is refused before a byte is read", async () => {
    const request = post({ "content-length": String(DROPPED + 1) }, chunked(10));
    expect(await within(request)).toMatchObject({ status: 413 });
    expect(request.bodyUsed).toBe(false);
  });

  test("what is less far over is read to its end, so that the sender hears the answer", async () => {
    const request = post({ "content-length": String(DROPPED) }, chunked(DROPPED));
    expect(await within(request)).toMatchObject({ status: 413 });
    expect(await request.body?.getReader().read()).toEqual({ done: true, value: undefined });
  });

  test("a length that lies does not let more through", async () => {
    const request = post({ "content-length": "10" }, chunked(LIMIT + 1));
    expect(await within(request)).toMatchObject({ status: 413 });
  });

  test("without a body the request passes as it is", async () => {
    const request = new Request(APP);
    expect(await within(request)).toBe(request);
  });

  test("a form stays a form", async () => {
    const request = await within(post({}, new URLSearchParams({ intent: "join" })));
    expect((await request.formData()).get("intent")).toBe("join");
  });
});

/** Sends so much, and then nothing until it may finish. */
function stalledUpload(size: number) {
  let finish = () => {};
  let asked = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        asked += 1;
        if (asked === 1) return controller.enqueue(new Uint8Array(size));
        return new Promise<void>((resolve) => {
          finish = () => {
            controller.close();
            resolve();
          };
        });
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const init = { method: "POST", headers, body, duplex: "half" };
  const request = new Request(`${APP}/profile`, init as RequestInit);
  return { request, finish: () => finish(), isRead: () => asked > 1 };
}

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
])("%s with host %j", (method, host, status) => {
  expect(refusedStatus({ method, url: "/", headers: { host } } as IncomingMessage)).toBe(status);
});

test.each(["*", "http://evil.example/events", "http://[::1/"])(
  "a target that is no path: %s",
  (url) => {
    const headers = { host: "kick.example" };
    expect(refusedStatus({ method: "GET", url, headers } as IncomingMessage)).toBe(400);
  },
);
