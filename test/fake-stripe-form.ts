export type Tree = { [name: string]: string | Tree | (string | Tree)[] };

export type StripeObject = { id: string; object: string; created: number } & Record<
  string,
  unknown
>;

/** A request that Stripe would refuse, as its error object says it. */
export class StripeRefusal extends Error {
  status = 400;
  code: string | undefined;
}

export function refuse(message: string, facts: { status?: number; code?: string } = {}) {
  return Object.assign(new StripeRefusal(message), facts);
}

/** Stripe's form encoding: `line_items[0][price]=price_1`. */
export function parseForm(form: string): Tree {
  const root: Tree = {};
  for (const [key, value] of new URLSearchParams(form)) {
    const names = key.replaceAll("]", "").split("[");
    const last = names.pop()!;
    let place = root;
    for (const name of names) place = (place[name] ??= {}) as Tree;
    place[last] = value;
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, listed(value)]));
}

/** What has only numbers for names is a list. */
function listed(value: Tree[string]): Tree[string] {
  if (typeof value === "string" || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, listed(inner)] as const);
  if (entries.every(([name]) => /^\d+$/.test(name)))
    return entries.map(([, inner]) => inner as Tree);
  return Object.fromEntries(entries);
}
