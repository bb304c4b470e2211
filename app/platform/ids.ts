export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A form's key, created with its page: it tells a repeated submission from a new one. */
export function formKeyOf(text: unknown): string | undefined {
  return isId(text) ? text.toLowerCase() : undefined;
}

export function isId(text: unknown): text is string {
  return typeof text === "string" && UUID.test(text);
}
