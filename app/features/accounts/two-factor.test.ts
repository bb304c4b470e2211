import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { newTotpSecret, stepOfCode, totpAddress } from "./two-factor.server.ts";

// RFC 6238, appendix B, SHA-1; of its eight digits the last six are the code.
const RFC_SECRET = Secret.fromLatin1("12345678901234567890").base32;
test.each([
  [59, "287082"],
  [1111111109, "081804"],
  [1111111111, "050471"],
  [1234567890, "005924"],
  [2000000000, "279037"],
  [20000000000, "353130"],
])("at second %i the code of RFC 6238 is %s", (second, code) => {
  expect(stepOfCode(RFC_SECRET, code, new Date(second * 1_000))).toBe(Math.floor(second / 30));
});

test("a code holds one step before and after its own, and no longer", () => {
  const at = (step: number) => stepOfCode(RFC_SECRET, "005924", new Date(step * 30_000));
  const own = Math.floor(1234567890 / 30);
  expect([-2, -1, 0, 1, 2].map((late) => at(own + late))).toEqual([null, own, own, own, null]);
});

test.each(["", "00592", "0059245", "abcdef", "٠٠٥٩٢٤", "005924 "])("%j is no code", (code) => {
  expect(stepOfCode(RFC_SECRET, code, new Date(1234567890 * 1_000))).toBeNull();
});

test("the QR code names the site and the account and gives the same codes", () => {
  const secret = newTotpSecret();
  const address = totpAddress(secret, { brandName: "Kickabout", email: "ada@uni.example" });
  expect(address).toMatch(/^otpauth:\/\/totp\/Kickabout:ada%40uni\.example\?/);
  const query = new URL(address).searchParams;
  expect(Object.fromEntries(query)).toEqual({
    issuer: "Kickabout",
    secret,
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
  const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: 60_000 });
  expect(stepOfCode(secret, code, new Date(60_000))).toBe(2);
});
