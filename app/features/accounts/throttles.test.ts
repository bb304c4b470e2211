import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { openDatabase } from "#app/platform/db.server.ts";
import { createAddressLimits, networkOf, createKeyedLock } from "./throttles.server.ts";
import { PER_ADDRESS_AND_MINUTE } from "./rules.ts";

const database = useDatabase();

test("an address gets a number of tries a minute, counted per kind", async () => {
  const limits = createAddressLimits(database.pool, "secret");
  const many = PER_ADDRESS_AND_MINUTE["sign-up"];
  for (let n = 0; n < many; n += 1) {
    expect(await limits.count("sign-up", "192.0.2.7")).toBeNull();
  }
  const wait = await limits.count("sign-up", "192.0.2.7");
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect(await limits.count("sign-up", "192.0.2.8")).toBeNull();
  expect(await limits.count("sign-in", "192.0.2.7")).toBeNull();
});

test("the table holds no address", async () => {
  await createAddressLimits(database.pool, "secret").count("sign-in", "192.0.2.9");
  const { rows } = await database.pool.query<{ key: string }>("select key from rate_limits");
  expect(rows.length).toBeGreaterThan(0);
  for (const { key } of rows) expect(key).toMatch(/^[a-z-]+:[\w-]{43}$/);
});

test("a request goes on where the counter's database fails", async () => {
  const gone = openDatabase(database.connection);
  await gone.pool.end();
  expect(await createAddressLimits(gone.pool, "secret").count("sign-in", "192.0.2.1")).toBeNull();
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:0:7:1:2:3:4", "2001:db8:0:0::/56"],
  ["2001:db8:0:ff:1:2:3:4", "2001:db8:0:0::/56"],
  ["2001:db8:0:100::1", "2001:db8:0:100::/56"],
  ["2001:db8:0:a7b8::1", "2001:db8:0:a700::/56"],
  ["2001:db8::1", "2001:db8:0:0::/56"],
  ["2001:DB8:0000:0000:ffff::", "2001:db8:0:0::/56"],
  ["fe80::1%eth0", "fe80:0:0:0::/56"],
  ["::1", "0:0:0:0::/56"],
  ["unknown", "unknown"],
])("%s is counted as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test("work of one key runs in requester, of two keys in parallel", async () => {
  const withKeyedLock = createKeyedLock();
  const same = counter();
  await Promise.all(Array.from({ length: 5 }, () => withKeyedLock("a", same.entry)));
  expect(same.peak()).toBe(1);
  const different = counter();
  await Promise.all(["a", "b"].map((key) => withKeyedLock(key, different.entry)));
  expect(different.peak()).toBe(2);
});

test("work that fails does not stop the next of its key", async () => {
  const withKeyedLock = createKeyedLock();
  const failing = withKeyedLock("a", () => Promise.reject(new Error("no")));
  const next = withKeyedLock("a", async () => "yes");
  await expect(failing).rejects.toThrow("no");
  await expect(next).resolves.toBe("yes");
});

function counter() {
  let running = 0;
  let most = 0;
  const action = async () => {
    most = Math.max(most, (running += 1));
    await new Promise(setImmediate);
    running -= 1;
  };
  return { entry: action, peak: () => most };
}
