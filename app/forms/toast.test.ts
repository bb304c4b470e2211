import { expect, test } from "vitest";
import { toastCookie, takeToast } from "./toast.server.ts";

const env = { appUrl: "http://kickabout.test", sessionSecret: "s".repeat(32) };

async function ask(headers: Record<string, string> = {}) {
  const left = await toastCookie(env, { title: "Booking cancelled" });
  const Cookie = left.split(";")[0]!;
  return takeToast(env, new Request("http://kickabout.test/", { headers: { Cookie, ...headers } }));
}

test("a message is for the next page, and deleted with it", async () => {
  const { toast, clearing } = await ask();
  expect(toast).toMatchObject({ title: "Booking cancelled" });
  expect(clearing).toMatch(/Max-Age=0|Expires=Thu, 01 Jan 1970/);
});

test("a message that stays in the page says so", async () => {
  const left = await toastCookie(env, { title: "Your account is deleted", isLasting: true });
  const Cookie = left.split(";")[0]!;
  const { toast } = await takeToast(
    env,
    new Request("http://kickabout.test/", { headers: { Cookie } }),
  );
  expect(toast).toMatchObject({ title: "Your account is deleted", isLasting: true });
});

test("a page that is fetched ahead does not take it", async () => {
  expect(await ask({ "Sec-Purpose": "prefetch" })).toEqual({ toast: null, clearing: null });
});
