export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text can be an id at all; asked before a query, which would fail on anything else. */
export function isId(text: unknown): text is string {
  return typeof text === "string" && UUID.test(text);
}
