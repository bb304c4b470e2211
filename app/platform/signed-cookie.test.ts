import { expect, test } from "vitest";
import { COOKIE_LABELS, signedCookie } from "./signed-cookie.server.ts";

const env = { appUrl: "http://kickabout.test", sessionSecret: "one" };

/** A request that brings a value under another cookie's name. */
async function bring(value: string, { name }: ReturnType<typeof signedCookie>): Promise<Request> {
  const text = value.slice(value.indexOf("=") + 1).split(";")[0];
  return new Request(env.appUrl, { headers: { Cookie: `${name}=${text}` } });
}

test.each(COOKIE_LABELS)("what is signed under %s is read under no other label", async (label) => {
  const written = signedCookie(env, label);
  const value = await written.write("any text", { maxAge: 60 });
  expect(await written.read(await bring(value, written))).toBe("any text");
  for (const other of COOKIE_LABELS.filter((each) => each !== label)) {
    const cookie = signedCookie(env, other);
    expect(await cookie.read(await bring(value, cookie))).toBeNull();
  }
});

test("a text that begins with another label is still not the other's", async () => {
  const [toast, session] = [signedCookie(env, "toast"), signedCookie(env, "session")];
  const value = await toast.write("session:abc", { maxAge: 60 });
  expect(await toast.read(await bring(value, toast))).toBe("session:abc");
  expect(await session.read(await bring(value, session))).toBeNull();
});
