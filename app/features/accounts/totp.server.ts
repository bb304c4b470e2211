import { Secret, TOTP } from "otpauth";

/** RFC 6238, as every authenticator app has it. */
const SHAPE = { algorithm: "SHA1", digits: 6, period: 30 };
/** Steps before and after the current one: clocks differ, and people type slowly. */
const WINDOW = 1;

/** 160 random bits in base 32, as RFC 4226 recommends. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The time step whose code this is, or null for a wrong one. Compares in constant time. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const totp = new TOTP({ ...SHAPE, secret });
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

/** What the QR code says: an authenticator app reads the account and its secret from it. */
export function totpAddress(secret: string, account: { brandName: string; email: string }): string {
  const { brandName: issuer, email: label } = account;
  return new TOTP({ ...SHAPE, secret, issuer, label }).toString();
}
