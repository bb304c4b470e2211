import { open, seal } from "./secrets.server.ts";

const [LABEL, PREFIX] = ["job token", "sealed:"];

export function sealToken<Data extends object>(secret: string, data: Data): Data {
  if (!hasToken(data)) return data;
  return { ...data, token: PREFIX + seal(secret, LABEL, data.token) };
}

/** Null if sealed with another secret. Tokens of an earlier version are not sealed. */
export function openToken<Data extends object>(secret: string, data: Data): Data | null {
  if (!hasToken(data) || !data.token.startsWith(PREFIX)) return data;
  const token = open(secret, LABEL, data.token.slice(PREFIX.length));
  return token === null ? null : { ...data, token };
}

function hasToken<Data extends object>(data: Data): data is Data & { token: string } {
  return "token" in data && typeof data.token === "string";
}
