/**
 * The fields of a page's form with this intent, as a browser without JavaScript would send them.
 * Throws where the page has none. For pages that the site itself has rendered.
 */
export function fieldsOfForm(page: string, intent: string): URLSearchParams {
  const forms = page.match(/<form\b.*?<\/form>/gs) ?? [];
  const fields = forms.map((form) => {
    const tags = form.match(/<(?:input|button)\b[^>]*>/g) ?? [];
    return new URLSearchParams(
      tags.flatMap((tag) => {
        const name = attribute(tag, "name");
        return name ? [[name, attribute(tag, "value") ?? ""]] : [];
      }),
    );
  });
  const found = fields.find((each) => each.get("intent") === intent);
  if (!found) throw new Error(`the page has no form to ${intent}`);
  return found;
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  return value?.replace(/&(amp|lt|gt|quot|#x27);/g, (_, entity: string) => ENTITIES[entity]!);
}

/** Those that React writes. */
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
