import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, createHash } from "node:crypto";

const [IV_BYTES, TAG_BYTES, KEY_BYTES] = [12, 16, 32];

/** AES-256-GCM with a key derived (HKDF) from the secret; another `label` cannot open it. */
export function seal(secret: string, label: string, text: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyFor(secret, label), iv);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
}

export function open(secret: string, label: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length < IV_BYTES + TAG_BYTES) return null;
  const [iv, rest] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES)];
  const decipher = createDecipheriv("aes-256-gcm", keyFor(secret, label), iv);
  decipher.setAuthTag(rest.subarray(0, TAG_BYTES));
  try {
    const body = decipher.update(rest.subarray(TAG_BYTES));
    return Buffer.concat([body, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

function keyFor(secret: string, label: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `kickabout ${label}`, KEY_BYTES));
}

export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
