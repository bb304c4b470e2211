export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The key that a form has from when its page was made: one that arrives twice is told by it from
 * another one. Undefined where none was sent.
 */
export function formKeyOf(text: unknown): string | undefined {
  return isId(text) ? text.toLowerCase() : undefined;
}

/** Whether a text can be an id at all; asked before a query, which would fail on anything else. */
export function isId(text: unknown): text is string {
  return typeof text === "string" && UUID.test(text);
}
