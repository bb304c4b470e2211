import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts short texts that are stored for a while, such as the token of a link in a waiting job. */
export interface Seal {
  close(text: string): string;
  /** Null where the text was sealed with another secret or changed; what was never sealed as it is. */
  open(text: string): string | null;
}

const PREFIX = "sealed:";
const CIPHER = "aes-256-gcm";
const [IV_BYTES, TAG_BYTES, KEY_BYTES] = [12, 16, 32];

/** AES-256-GCM with a key of its own, derived by HKDF (RFC 5869) from the deployment's secret. */
export function createSeal(secret: string): Seal {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "kickabout job tokens", KEY_BYTES));
  return {
    close(text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return PREFIX + Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
    },
    open(text) {
      if (!text.startsWith(PREFIX)) return text;
      const bytes = Buffer.from(text.slice(PREFIX.length), "base64url");
      if (bytes.length < IV_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const body = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([body, decipher.final()]).toString("utf8");
      } catch {
        return null;
      }
    },
  };
}

/** A job's data as it is stored: its token, where it has one, cannot be read there. */
export function sealToken<Data extends object>(seal: Seal, data: Data): Data {
  return hasToken(data) ? { ...data, token: seal.close(data.token) } : data;
}

/** A stored job's data as its handler gets it; null where the token cannot be opened. */
export function openToken<Data extends object>(seal: Seal, data: Data): Data | null {
  if (!hasToken(data)) return data;
  const token = seal.open(data.token);
  return token === null ? null : { ...data, token };
}

function hasToken<Data extends object>(data: Data): data is Data & { token: string } {
  return "token" in data && typeof data.token === "string";
}
