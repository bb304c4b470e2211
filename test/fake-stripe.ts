import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { createFakeStripe, type FakeStripe } from "./fake-stripe-server.ts";

/** A fake of the test file's own, emptied before each test. Read it inside tests and hooks. */
export function useFakeStripe(): FakeStripe {
  const { fake, server, clear } = createFakeStripe();
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    fake.options.port = (server.address() as AddressInfo).port;
  });
  beforeEach(clear);
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return fake;
}
