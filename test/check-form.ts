import type { z } from "zod";

/** The schema's input, or the first message of each field, as the form shows them. */
export function checkForm<T>(shape: z.ZodType<T>, fields: Record<string, unknown>) {
  const result = shape.safeParse(fields);
  if (result.success) return { ok: true as const, input: result.data };
  const errors: Record<string, string> = {};
  for (const { path, message } of result.error.issues) errors[String(path[0])] ??= message;
  return { ok: false as const, errors };
}
