import { createHash, randomBytes } from "node:crypto";

/** 32 random bytes as text for a link or a cookie. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What the database keeps of a token: whoever reads the tables holds no link and no session. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
