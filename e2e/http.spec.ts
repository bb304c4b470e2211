import { createHash } from "node:crypto";
import { request as httpRequest } from "node:http";
import { expect, test } from "./fixtures.ts";
import { findGames } from "./games.ts";

const SIGN_IN = { intent: "sign-in", email: "player@uni.example", password: "wrong" };

test("every response carries the security headers", async ({ request, database }) => {
  const { open } = await findGames(database.db);
  const pages = ["/", "/auth", `/events/${open}`, "/bookings", "/nowhere", "/events/none"];
  const redirects = ["/events", `/games/${open}`];
  const files = ["/favicon.svg", "/robots.txt", "/sitemap.xml", "/healthz", "/assets/none.js"];
  for (const path of [...pages, ...redirects, ...files]) {
    const response = await request.get(path, { maxRedirects: 0 });
    const headers = response.headers();
    const policy = headers["content-security-policy"] ?? "";
    expect.soft(policy, path).toContain("frame-ancestors 'none'");
    expect.soft(policy, path).toMatch(/script-src 'self'( '(nonce|sha256)-[\w+/=]{22,}')*(;|$)/);
    expect.soft(headers["x-content-type-options"], path).toBe("nosniff");
    expect.soft(headers["referrer-policy"], path).toBe("strict-origin-when-cross-origin");
    expect.soft(headers["x-frame-options"], path).toBe("DENY");
    expect.soft(await response.text(), path).not.toMatch(STACK);
    const type = headers["content-type"] ?? "";
    if (/^text|json|xml/.test(type)) expect.soft(type, path).toMatch(/charset=utf-8|svg/i);
  }
});

test("what a page is made of carries only the headers that it needs", async ({ request }) => {
  const page = await (await request.get("/auth")).text();
  const hashed = ["entry.client", "root"].map(
    (name) => new RegExp(`"(/assets/${name}-[^"]+)"`).exec(page)?.[1],
  );
  const others = ["/fonts/archivo-kickabout.woff2", "/photos/toolo-cage-1-480.avif"];
  for (const path of [...hashed, ...others]) {
    const headers = (await request.get(path!)).headers();
    expect.soft(headers["x-content-type-options"], path).toBe("nosniff");
    for (const name of FOR_DOCUMENTS) expect.soft(headers, path).not.toHaveProperty(name);
  }
  const entry = (await request.get(hashed[0]!)).headers();
  expect(entry["cache-control"]).toBe("public, max-age=31536000, immutable");
});

test("a file that is opened or run by itself keeps its policy", async ({ request }) => {
  for (const path of ["/favicon.svg", "/partners/harbour-cafe.svg", "/sw.js"]) {
    const headers = (await request.get(path)).headers();
    for (const name of FOR_DOCUMENTS) expect.soft(headers, path).toHaveProperty(name);
  }
});

const FOR_DOCUMENTS = [
  ...["content-security-policy", "cross-origin-opener-policy", "permissions-policy"],
  ...["referrer-policy", "x-frame-options"],
];

test("no other origin may read a response", async ({ request, signIn, page }) => {
  await signIn("player");
  const headers = { Origin: "https://evil.example" };
  for (const asks of [request, page.request]) {
    for (const path of ["/", "/wallet", "/wallet.data", "/healthz", "/favicon.svg"]) {
      const response = await asks.get(path, { headers, maxRedirects: 0 });
      expect.soft(response.headers()["access-control-allow-origin"], path).toBeUndefined();
    }
  }
});

test("no file is served but what was built for browsers", async ({ request }) => {
  const inner = ["/.git/config", "/.env", "/server.ts", "/package.json", "/data/secrets.json"];
  for (const path of [...inner, "/assets/"]) {
    const response = await request.get(path, { maxRedirects: 0 });
    expect.soft(response.status(), path).toBe(404);
  }
});

// A line of a stack trace, in HTML or in JSON.
const STACK = /\bat [\w.<> ]*\(?(file:|\/|node:)[^\s"]*:\d+:\d+/;

test("what a page is made of is as private as the page", async ({ request, signIn, page }) => {
  await signIn("player");
  for (const path of ["/wallet", "/bookings", "/profile", "/events"]) {
    for (const address of [path, `${path}.data`]) {
      const response = await page.request.get(address);
      expect(response.status(), address).toBe(200);
      expect(response.headers()["cache-control"], address).toBe("private, no-store");
    }
  }
  const away = await request.get("/wallet.data");
  expect(away.headers()["cache-control"]).toContain("no-cache");
});

test("a page runs only scripts with the nonce of its own response", async ({ request }) => {
  const nonces = new Set<string>();
  for (const path of ["/", "/auth", "/bookings", "/nowhere"]) {
    const response = await request.get(path);
    const policy = response.headers()["content-security-policy"] ?? "";
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    expect(nonce).not.toBe("");
    expect(nonces).not.toContain(nonce);
    nonces.add(nonce);
    const html = await response.text();
    // Data blocks are no scripts: browsers run none of them.
    const scripts = html.match(/<script\b(?![^>]*application\/ld\+json)[^>]*>/g) ?? [];
    for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
    expect(html).not.toMatch(/<[^>]+\son\w+="/);
  }
});

test("a page from the cache runs only the scripts that its policy names", async ({
  request,
  database,
}) => {
  const { open } = await findGames(database.db);
  const response = await request.get(`/events/${open}`);
  const policy = response.headers()["content-security-policy"] ?? "";
  const html = await response.text();
  const scripts = [
    ...html.matchAll(/<script\b(?![^>]*application\/ld\+json)[^>]*>([^]*?)<\/script>/g),
  ];
  expect(scripts.length).toBeGreaterThan(0);
  for (const [, text = ""] of scripts) {
    expect(policy).toContain(createHash("sha256").update(text).digest("base64"));
  }
});

test("a form from another site is rejected", async ({ request }) => {
  const signs = [
    ["Origin", "https://evil.example"],
    ["Sec-Fetch-Site", "cross-site"],
  ] as const;
  for (const [name, value] of signs) {
    const options = { form: SIGN_IN, headers: { [name]: value }, maxRedirects: 0 };
    const response = await request.post("/auth", options);
    expect(response.status()).toBe(403);
  }
});

test("a body that is too large is rejected, with or without its length", async ({ baseURL }) => {
  const body = Buffer.alloc(200_000, "x");
  const length = { "Content-Length": String(body.length) };
  expect(await postRaw(`${baseURL}/auth`, body, length)).toBe(413);
  expect(await postRaw(`${baseURL}/auth`, body, { "Transfer-Encoding": "chunked" })).toBe(413);
});

test("a large body is dropped where the sender has no permission, and the response names who has", async ({
  baseURL,
}) => {
  const id = crypto.randomUUID();
  const type = { "Content-Type": "multipart/form-data; boundary=x" };
  for (const path of ["/profile", `/admin/venues/${id}/photos`, `/admin/partners/${id}`]) {
    const body = Buffer.alloc(7_000_000, "x");
    expect.soft(await postRaw(`${baseURL}${path}`, body, type), path).toBe(302);
  }
});

test("a range request gets the whole file and does no harm", async ({ request }) => {
  const whole = (await (await request.get("/favicon.svg")).body()).byteLength;
  for (const range of ["bytes=5-2", "bytes=0-0", "bytes=-5", "bytes=0-99999999999999999999"]) {
    const response = await request.get("/favicon.svg", { headers: { Range: range } });
    expect
      .soft([response.status(), (await response.body()).byteLength], range)
      .toEqual([200, whole]);
  }
});

test("a file that has not changed is not sent again", async ({ request }) => {
  const { etag = "" } = (await request.get("/sw.js")).headers();
  const again = await request.get("/sw.js", { headers: { "If-None-Match": etag } });
  expect([again.status(), (await again.body()).byteLength]).toEqual([304, 0]);
});

test("a body that is no form gets a response without a stack trace", async ({ request }) => {
  for (const path of ["/auth", "/bookings", "/events/none", "/nowhere"]) {
    const headers = { "Content-Type": "multipart/form-data; boundary=x" };
    const response = await request.post(path, { data: "no form", headers, maxRedirects: 0 });
    expect.soft(response.status(), path).toBeLessThan(500);
    expect.soft(await response.text(), path).not.toMatch(STACK);
  }
});

function postRaw(url: string, body: Buffer, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    const request = httpRequest(url, { method: "POST", headers: { ...form, ...headers } });
    request.on("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on("error", reject);
    request.end(body);
  });
}
