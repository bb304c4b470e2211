/**
 * The fields of a page's form with this intent, as a browser without JavaScript would send them.
 * Throws where the page has none. For pages that the site itself has rendered.
 */
export function fieldsOfForm(page: string, intent: string): URLSearchParams {
  const fields = page.split("<form").map((from) => {
    const [form = ""] = from.split("</form>", 1);
    const tags = form
      .split("<")
      .filter((tag) => tag.startsWith("input") || tag.startsWith("button"));
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
  const [, after] = tag.split(">", 1)[0]!.split(` ${name}="`, 2);
  const value = after?.split('"', 1)[0];
  return value?.replace(/&(amp|lt|gt|quot|#x27);/g, (_, entity: string) => ENTITIES[entity]!);
}

/** Those that React writes. */
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
