import { expect, test } from "vitest";
import { deviceCookie, knownDevice } from "./cookies.server.ts";
import { signedCookie } from "#app/platform/signed-cookie.server.ts";

const env = { appUrl: "http://kickabout.test", sessionSecret: "one" };
const from = (cookie = "") => new Request(env.appUrl, { headers: { Cookie: cookie } });
const pair = (setCookie: string) => setCookie.split(";")[0] ?? "";
const signedIn = async (email: string, cookie = "") =>
  pair(await deviceCookie(env, from(cookie), email));

test("a browser is known to the accounts that signed in there, and to no other", async () => {
  const cookie = await signedIn("b@uni.example", await signedIn("a@uni.example"));
  const a = await knownDevice(env, from(cookie), "a@uni.example");
  expect(a).not.toBeNull();
  expect(await knownDevice(env, from(cookie), "b@uni.example")).toBe(a);
  expect(await knownDevice(env, from(cookie), "c@uni.example")).toBeNull();
  expect(await knownDevice(env, from(), "a@uni.example")).toBeNull();
  const elsewhere = await signedIn("a@uni.example");
  expect(await knownDevice(env, from(elsewhere), "a@uni.example")).not.toBe(a);
});

test("the newest four accounts are kept", async () => {
  let cookie = "";
  for (const name of ["a", "b", "a", "c", "d", "e"]) {
    cookie = await signedIn(`${name}@uni.example`, cookie);
  }
  const known = await Promise.all(
    ["a", "b", "c", "d", "e"].map((name) => knownDevice(env, from(cookie), `${name}@uni.example`)),
  );
  expect(known.map(Boolean)).toEqual([true, false, true, true, true]);
});

test("forged, or another cookie of ours under its name, it is none", async () => {
  const email = "a@uni.example";
  const real = await signedIn(email);
  const forged = pair(await deviceCookie({ ...env, sessionSecret: "two" }, from(), email));
  // The very text of the real one, signed by us for another use.
  const text = await signedCookie(env, "device").read(from(real));
  const other = pair(await signedCookie(env, "toast").write(text!, { maxAge: 60 }));
  const renamed = other.replace("kickabout_toast", "kickabout_device");
  const cut = real.slice(0, real.lastIndexOf("."));
  for (const cookie of [forged, renamed, cut, "kickabout_device=x", "kickabout_device="]) {
    expect(await knownDevice(env, from(cookie), email)).toBeNull();
  }
});

test("httpOnly, lax, for a year, and with https secure and bound to the host", async () => {
  const plain = await deviceCookie(env, from(), "a@uni.example");
  expect(plain).toMatch(
    /^kickabout_device=.*; Max-Age=31536000; Path=\/;.*HttpOnly; SameSite=Lax$/,
  );
  const secure = await deviceCookie(
    { ...env, appUrl: "https://kickabout.example" },
    from(),
    "a@uni.example",
  );
  expect(secure).toMatch(/^__Host-kickabout_device=.*; Path=\/;.*; Secure/);
  expect(secure).not.toContain("Domain");
});
