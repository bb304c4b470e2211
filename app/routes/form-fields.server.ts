/**
 * The text fields of a posted form. Files and repeated fields are left out, and so count as
 * missing; a body that is no form has no fields.
 */
export async function formFields(request: Request): Promise<Record<string, string>> {
  const form = await readForm(request);
  const fields = new Map<string, string>();
  for (const name of new Set(form.keys())) {
    const [value, ...others] = form.getAll(name);
    if (typeof value === "string" && others.length === 0) fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

/** The posted form; a body that is no form has no fields. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch (error) {
    // What the platform throws for a body of another type or a broken one.
    if (error instanceof TypeError) return new FormData();
    throw error;
  }
}
