import { open, seal } from "./seal.server.ts";

const [LABEL, PREFIX] = ["job token", "sealed:"];

/** A job's data as it is stored: its token, where it has one, cannot be read there. */
export function sealToken<Data extends object>(secret: string, data: Data): Data {
  if (!hasToken(data)) return data;
  return { ...data, token: PREFIX + seal(secret, LABEL, data.token) };
}

/**
 * A stored job's data as its handler gets it; null where the token was sealed with another secret.
 * One that was never sealed, in a job of an earlier version, stays as it is.
 */
export function openToken<Data extends object>(secret: string, data: Data): Data | null {
  if (!hasToken(data) || !data.token.startsWith(PREFIX)) return data;
  const token = open(secret, LABEL, data.token.slice(PREFIX.length));
  return token === null ? null : { ...data, token };
}

function hasToken<Data extends object>(data: Data): data is Data & { token: string } {
  return "token" in data && typeof data.token === "string";
}
