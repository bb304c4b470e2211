import { type Page, type Tag } from "./page-grammar.ts";

export interface Field {
  name: string;
  kind: string;
  value: string;
}

/** A form as a person finds it, with one of its buttons. */
export interface FoundForm {
  path: string;
  isPost: boolean;
  isMultipart: boolean;
  fields: Field[];
}

/** The forms of a page that was read from this address, once for each button that says something. */
export function formsOf({ tags }: Page, address: string): FoundForm[] {
  const forms: { open: Tag; fields: Field[]; buttons: Field[] }[] = [];
  let current: (typeof forms)[number] | undefined;
  let select: Field | undefined;
  for (const tag of tags) {
    if (tag.name === "form") {
      current = tag.isEnd ? undefined : { open: tag, fields: [], buttons: [] };
      if (current) forms.push(current);
    }
    const { form: owner } = tag.attributes;
    const form = owner ? forms.find(({ open }) => open.attributes.id === owner) : current;
    if (tag.isEnd || !form) continue;
    if (tag.name === "option") takeOption(select, tag);
    const field = fieldOf(tag);
    if (!field) continue;
    if (tag.name === "select") select = field;
    (tag.name === "button" ? form.buttons : form.fields).push(field);
  }
  return forms.flatMap((form) => withButtons(form, address));
}

/** A form's fields as a person might fill them in, but for one that is given. */
export function fillIn({ fields }: FoundForm, name?: string, text = ""): [string, string][] {
  const filled = fields.filter(({ kind }) => kind !== "file").map(goodValue);
  return filled.map(([field, value]) => [field, field === name ? text : value]);
}

/** Where a form leads and what it asks, the same on all pages of a kind. */
export function kindOf({ path, fields }: FoundForm): string {
  const where = path.replace(/[0-9a-f-]{36}|[\w-]{22}/g, ":id").replace(/\?.*/, "");
  const told = fields.map(({ name, value }) => (name === "intent" ? `intent=${value}` : name));
  return `${where} ${[...new Set(told)].join()}`;
}

function fieldOf({ name: tag, attributes, text }: Tag): Field | null {
  const { name, type, value } = attributes;
  if (!name || !["input", "textarea", "select", "button"].includes(tag)) return null;
  return { name, kind: type ?? tag, value: tag === "textarea" ? text : (value ?? "") };
}

function takeOption(select: Field | undefined, { attributes, text }: Tag) {
  const value = attributes.value ?? text;
  if (select && value && (!select.value || "selected" in attributes)) select.value = value;
}

function withButtons(
  { open, fields, buttons }: { open: Tag; fields: Field[]; buttons: Field[] },
  address: string,
): FoundForm[] {
  const { action, method = "get", enctype = "" } = open.attributes;
  const { pathname, search } = new URL(action || address, "http://kickabout.test/");
  const form = {
    path: pathname + search,
    isPost: method.toLowerCase() === "post",
    isMultipart: enctype.includes("multipart"),
  };
  if (buttons.length === 0) return [{ ...form, fields }];
  return buttons.map((button) => ({ ...form, fields: [...fields, button] }));
}

const GOOD: Record<string, string> = {
  email: "somebody@uni.example",
  password: "Kickabout1",
  date: "2001-05-17",
  tel: "+358 40 1234567",
  number: "5",
  checkbox: "on",
};

function goodValue({ name, kind, value }: Field): [string, string] {
  return [name, value || GOOD[kind] || "Words"];
}
