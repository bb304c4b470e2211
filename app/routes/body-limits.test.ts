import { afterEach, describe, expect, test, vi } from "vitest";
import { isLong } from "#test/long.ts";
import { type Sender, receiveBody } from "#app/platform/request-body.server.ts";
import { bodyLimit } from "./receive-request.server.ts";

const APP = "https://kickabout.example";
const post = (headers: Record<string, string>, body?: BodyInit) => {
  const init = { method: "POST", headers, ...(body !== undefined && { body }) };
  return new Request(`${APP}/events`, { ...init, ...(isStream(body) && { duplex: "half" }) });
};
const isStream = (body: unknown) => body instanceof ReadableStream;
let number = 0;
/** Each time another account in another network. */
const anybody = (network = `192.0.2.${(number += 1)}`, account = network): Sender => ({
  network,
  findAccountId: async () => account,
});
// Undici's types know neither a body's size nor that a response has a text.
const within = async (request: Request, sender = anybody()) =>
  (await receiveBody(request, bodyLimit(request), sender)) as Request & Response;

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

  test.each(["stripe", "mail"])("what comes from %s may be 256 kB", async (from) => {
    const send = (body: string) =>
      within(new Request(`${APP}/webhooks/${from}`, { method: "POST", body }));
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

    test.each(["/profile/", "/profile/_.data", "/Profile"])(
      "may be as large at %s, which the router takes for the same page",
      async (path) => expect(await upload(LIMIT + 1, path)).toBeInstanceOf(Request),
    );

    test("may be 64 megabytes where it brings a venue's photos", async () => {
      const path = "/admin/venues/0a1b/photos";
      for (const at of isLong ? [path, `${path}.data`] : [path]) {
        expect(await upload(64 * MEGABYTE, at)).toBeInstanceOf(Request);
        expect(await upload(64 * MEGABYTE + 1, at)).toMatchObject({ status: 413 });
      }
      const responses = [
        await upload(LIMIT + 1, path, "application/x-www-form-urlencoded"),
        await upload(LIMIT + 1, "/admin/venues/0a1b"),
      ];
      for (const response of responses) expect(response).toMatchObject({ status: 413 });
    });

    test("only there, and only as multipart", async () => {
      const responses = [
        await upload(LIMIT + 1, "/bookings"),
        await upload(LIMIT + 1, "/profile/x"),
        await upload(LIMIT + 1, "/profile", "application/x-www-form-urlencoded"),
        await upload(LIMIT + 1, "/profile", "text/plain"),
      ];
      for (const response of responses) expect(response).toMatchObject({ status: 413 });
    });

    test("of who may not send one is dropped, and the route is asked without it", async () => {
      const asked: string[] = [];
      const findAccountId = async (role: string) => {
        asked.push(role);
        return null;
      };
      const send = (path: string, size: number) => {
        const headers = {
          "content-type": "multipart/form-data; boundary=x",
          "content-length": String(size),
        };
        const init = { method: "POST", headers, body: chunked(size), duplex: "half" };
        const request = new Request(APP + path, init as RequestInit);
        return receiveBody(request, bodyLimit(request), { network: "192.0.2.1", findAccountId });
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
      const waiting = stalled.map(({ request }) => within(request, anybody()));
      await vi.waitFor(() => expect(stalled.every(({ isRead }) => isRead())).toBe(true));
      const failed = await upload(5 * MEGABYTE);
      expect([failed.status, failed.headers.get("Retry-After")]).toEqual([503, "10"]);
      // One that is too large by itself would be rejected later as well.
      expect(await upload(6 * MEGABYTE + 1)).toMatchObject({ status: 413 });
      expect(await upload(LIMIT)).toBeInstanceOf(Request);
      for (const { finish } of stalled) finish();
      const kept = (await Promise.all(waiting)).filter((response) => response instanceof Request);
      expect(kept.length).toBeGreaterThan(15);
      expect(kept.length).toBeLessThan(25);
      expect(await upload(5 * MEGABYTE)).toBeInstanceOf(Request);
    });
  });

  describe("of one sender", () => {
    const MEGABYTE = 1024 * 1024;
    const whole = () => stalledUpload(5 * MEGABYTE);
    async function stall(count: number, sender: (n: number) => Sender) {
      const stalled = Array.from({ length: count }, whole);
      const waiting = stalled.map(({ request }, n) => within(request, sender(n)));
      await vi.waitFor(() => expect(stalled.every(({ isRead }) => isRead())).toBe(true));
      return async () => {
        for (const { finish } of stalled) finish();
        return (await Promise.all(waiting)).map((result) => result.status ?? 200);
      };
    }
    async function send(sender: Sender) {
      const { request, finish, isRead } = stalledUpload(LIMIT + 1);
      const result = within(request, sender);
      await vi.waitFor(() => expect(isRead()).toBe(true));
      finish();
      return (await result).status ?? 200;
    }

    test("account two come in at a time, from wherever", async () => {
      const finish = await stall(2, () => anybody(undefined, "ada"));
      expect(await send(anybody(undefined, "ada"))).toBe(503);
      expect(await send(anybody(undefined, "bo"))).toBe(200);
      expect(await finish()).toEqual([200, 200]);
      expect(await send(anybody(undefined, "ada"))).toBe(200);
    });

    test("address half of the room is taken, and others find the rest", async () => {
      const campus = "198.51.100.1";
      const finish = await stall(12, (n) => anybody(campus, `player ${n}`));
      expect(await send(anybody(campus, "one more"))).toBe(503);
      expect(await send(anybody("203.0.113.1", "elsewhere"))).toBe(200);
      const statuses = await finish();
      expect(statuses.filter((status) => status === 200)).toHaveLength(10);
      expect(await send(anybody(campus, "one more"))).toBe(200);
    });
  });

  test("forms get in, however many slow ones fill the room", async () => {
    const stalled = Array.from({ length: 600 }, () => stalledUpload(60_000, "/auth"));
    const waiting = stalled.map(({ request }, n) => within(request, anybody(`203.0.113.${n % 3}`)));
    await vi.waitFor(() => expect(stalled.every(({ isRead }) => isRead())).toBe(true));
    const send = (size: number) => within(post({}, "x".repeat(size)));
    expect(await send(16 * 1024)).toBeInstanceOf(Request);
    expect(await send(60_000)).toMatchObject({ status: 503 });
    for (const { finish } of stalled) finish();
    await Promise.all(waiting);
    expect(await send(60_000)).toBeInstanceOf(Request);
  });

  describe("that comes too slowly", () => {
    afterEach(() => void vi.useRealTimers());
    const send = async (ms: number, length?: number) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const { request, isRead } = stalledUpload(LIMIT + 1, "/admin/venues/0a1b/photos", length);
      const result = within(request, anybody(undefined, "slow"));
      await new Promise(setImmediate);
      expect(isRead()).toBe(true);
      vi.advanceTimersByTime(ms);
      const waits = new Promise<string>((resolve) => setImmediate(resolve, "waits"));
      return Promise.race([result, waits]);
    };

    test("is dropped after half a minute, and its place is free again", async () => {
      for (let n = 0; n < 3; n += 1) expect(await send(30_000)).toMatchObject({ status: 408 });
      expect(await send(29_000)).toBe("waits");
    });

    test("has longer where it says that it is large", async () => {
      const large = 60 * 1024 * 1024;
      expect(await send(299_000, large)).toBe("waits");
      expect(await send(300_000, large)).toMatchObject({ status: 408 });
    });
  });

  test("what is far over the limit is rejected before a byte is read", async () => {
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
function stalledUpload(size: number, path = "/profile", length?: number) {
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
  const headers = {
    "content-type": "multipart/form-data; boundary=x",
    ...(length && { "content-length": String(length) }),
  };
  const init = { method: "POST", headers, body, duplex: "half" };
  const request = new Request(APP + path, init as RequestInit);
  return { request, finish: () => finish(), isRead: () => asked > 1 };
}
