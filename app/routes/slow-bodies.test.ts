import { expect, test } from "vitest";
import { type Sender, receiveBody } from "#app/platform/request-body.server.ts";
import { bodyLimit } from "./receive-request.server.ts";

/* Bodies that keep a process waiting, however small they are. */
const post = (path: string, body: BodyInit) =>
  new Request(`https://kickabout.example${path}`, {
    ...{ method: "POST", headers: { "content-type": "multipart/form-data; boundary=x" }, body },
    ...(body instanceof ReadableStream && { duplex: "half" }),
  });

async function receive(request: Request, network: string): Promise<Response | null> {
  const sender: Sender = { network, findAccountId: async () => null };
  const result = await receiveBody(request, bodyLimit(request), sender);
  return result instanceof Response ? result : null;
}

/** Sends a part at once, and the end on demand. */
function startBody(path = "/auth") {
  const end = Promise.withResolvers<void>();
  let parts = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      parts += 1;
      if (parts === 1) return controller.enqueue(new Uint8Array(100));
      await end.promise;
      controller.close();
    },
  });
  return { request: post(path, body), finish: end.resolve };
}

/** Until those that are read have shown whether more is there. */
async function untilAwaited() {
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
}

async function hold(count: number, address: (n: number) => string) {
  const held = Array.from({ length: count }, () => startBody());
  const results = held.map(({ request }, n) => receive(request, address(n)));
  await untilAwaited();
  return async () => {
    for (const { finish } of held) finish();
    return Promise.all(results);
  };
}

/** What such a body gets while it keeps its end back. */
async function statusOf(address: string, path?: string) {
  const { request, finish } = startBody(path);
  const result = receive(request, address);
  const first = await Promise.race([result, untilAwaited().then(() => "held" as const)]);
  finish();
  await result;
  return first instanceof Response ? first.status : first;
}

test("300 bodies of a network may keep it waiting; one that is there at once is read", async () => {
  const finish = await hold(300, () => "192.0.2.1");
  expect(await statusOf("192.0.2.1")).toBe(429);
  expect(await statusOf("192.0.2.2")).toBe("held");
  expect(await receive(post("/auth", "a=1"), "192.0.2.1")).toBeNull();
  expect(new Set(await finish())).toEqual(new Set([null]));
  expect(await statusOf("192.0.2.1")).toBe("held");
});

test("2,000 bodies may keep a process waiting, also those that would be dropped", async () => {
  const finish = await hold(2_000, (n) => `198.51.100.${n % 10}`);
  expect(await statusOf("192.0.2.1")).toBe(503);
  expect(await statusOf("192.0.2.1", "/profile")).toBe(503);
  const failed = await receive(startBody().request, "192.0.2.1");
  expect(failed?.headers.get("Connection")).toBe("close");
  expect(await receive(post("/auth", "a=1"), "192.0.2.1")).toBeNull();
  await finish();
  expect(await statusOf("192.0.2.1")).toBe("held");
});
