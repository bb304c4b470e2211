/** A keyset cursor for an address: the sort keys of the row before the page. */
export function writeCursor(keys: string[]): string {
  return Buffer.from(JSON.stringify(keys)).toString("base64url");
}

export function readCursor(word: string | null, length: number): string[] | null {
  if (!word) return null;
  try {
    const keys: unknown = JSON.parse(Buffer.from(word, "base64url").toString("utf8"));
    if (!Array.isArray(keys) || keys.length !== length) return null;
    return keys.every((key) => typeof key === "string" && !key.includes("\0")) ? keys : null;
  } catch {
    return null;
  }
}
