import { expect, test } from "vitest";
import { toastCookie, takeToast } from "./toast.server.ts";

const env = { appUrl: "http://kickabout.test", sessionSecret: "s".repeat(32) };

async function ask(headers: Record<string, string> = {}) {
  const left = await toastCookie(env, { title: "Booking cancelled" });
  const Cookie = left.split(";")[0]!;
  return takeToast(env, new Request("http://kickabout.test/", { headers: { Cookie, ...headers } }));
}

test("a message is for the next page, and forgotten with it", async () => {
  const { flash, forget } = await ask();
  expect(flash).toMatchObject({ title: "Booking cancelled" });
  expect(forget).toMatch(/Max-Age=0|Expires=Thu, 01 Jan 1970/);
});

test("a page that is fetched ahead does not take it", async () => {
  expect(await ask({ "Sec-Purpose": "prefetch" })).toEqual({ flash: null, forget: null });
});
