import { expect, test } from "vitest";
import { signedCookie } from "#app/platform/signed-cookie.server.ts";
import { clearReturn, readReturn, returnCookie } from "./plans.server.ts";

const env = { appUrl: "https://kick.example", sessionSecret: "s".repeat(32) };
const carrying = (setCookie: string) =>
  new Request("https://kick.example/wallet/paid", {
    headers: { Cookie: setCookie.split(";")[0] ?? "" },
  });

test("where a purchase began is remembered for an hour, until it is forgotten", async () => {
  const cookie = await returnCookie(env, "/events/1?a=b");
  expect(cookie).toMatch(/; Max-Age=3600;.*HttpOnly/);
  expect(await readReturn(env, carrying(cookie))).toBe("/events/1?a=b");
  expect(await readReturn(env, carrying(await clearReturn(env)))).toBeNull();
  expect(await readReturn(env, new Request("https://kick.example/"))).toBeNull();
});

test("what is forged, or leads away, is nothing", async () => {
  const [, value = ""] = /=([^;]+)/.exec(await returnCookie(env, "/events/1")) ?? [];
  const forged = `__Host-kickabout_return=${value.slice(0, -6)}AAAA%3D%3D`;
  expect(await readReturn(env, carrying(forged))).toBeNull();
  const away = await signedCookie(env, "return").write("//evil.example", { maxAge: 60 });
  expect(await readReturn(env, carrying(away))).toBeNull();
});
