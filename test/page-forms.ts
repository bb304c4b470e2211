import { type Page, type Tag } from "./html-checker.ts";

export interface Field {
  name: string;
  /** What its keyboard is for, or else its type. */
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
  const forms = tags
    .filter(({ name }) => name === "form")
    .map((open) => ({ open, fields: [] as Field[], buttons: [] as Field[] }));
  let select: Field | undefined;
  for (const tag of tags) {
    const { form: owner } = tag.attributes;
    const form = forms.find(({ open }) =>
      owner ? open.attributes.id === owner : open === closestForm(tag),
    );
    if (!form) continue;
    if (tag.name === "option") takeOption(select, tag);
    const field = fieldOf(tag);
    if (!field || isSameChoice(field, form.fields)) continue;
    if (tag.name === "select") select = field;
    (tag.name === "button" ? form.buttons : form.fields).push(field);
  }
  return forms.flatMap((form) => withButtons(form, address));
}

function closestForm(tag: Tag | null): Tag | null {
  return tag?.name === "form" || !tag ? tag : closestForm(tag.parent);
}

/** A form's fields as a person might fill them in, but for those that are given. */
export function fillIn({ fields }: FoundForm, given: Record<string, string>): [string, string][] {
  const filled = fields.filter(({ kind }) => kind !== "file");
  return filled.map((field) => [field.name, given[field.name] ?? goodValue(field)]);
}

/** Where a form leads and what it asks, the same on all pages of a kind. */
export function kindOf({ path, fields }: FoundForm): string {
  const where = kindOfPage(path).replace(/\?.*/, "");
  const shown = fields.map(({ name, value }) => (name === "intent" ? `intent=${value}` : name));
  return `${where} ${[...new Set(shown)].join()}`;
}

/** A page's address without the ids that it names and the values of its query. */
export function kindOfPage(path: string): string {
  return path.replace(/[0-9a-f-]{36}|[\w-]{22}/g, ":id").replace(/=[^&]*/g, "");
}

const shownIn = (fields: [string, string][]) =>
  new URLSearchParams(fields.find(([name]) => name === "shown")?.[1]);

/** The facts that a form says its page has shown, without ids. */
export const shownFacts = (fields: [string, string][]): string[] => [
  ...new Set([...shownIn(fields).keys()].map(kindOfPage)),
];

/** The form once for each of these facts, as a page would have sent it that showed another one. */
export function withOtherFacts(fields: [string, string][]): [string, string][][] {
  return [...shownIn(fields).keys()].map((fact) => {
    const other = shownIn(fields);
    other.set(fact, "other");
    return fields.map(([name, value]) => [name, name === "shown" ? String(other) : value]);
  });
}

function fieldOf({ name: tag, attributes, text }: Tag): Field | null {
  const { name, type, inputmode, value } = attributes;
  if (!name || !["input", "textarea", "select", "button"].includes(tag)) return null;
  const kind = inputmode ?? type ?? tag;
  return { name, kind, value: tag === "textarea" ? text : (value ?? "") };
}

/** A person presses one of several radio buttons. */
function isSameChoice({ name, kind }: Field, others: Field[]): boolean {
  return kind === "radio" && others.some((other) => other.name === name);
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
  numeric: "1",
  decimal: "5",
  url: "https://a.example/",
  checkbox: "on",
};

/** Not as their kind: the day of a legal text is to come, or none. */
const GOOD_BY_NAME: Record<string, string> = { holdsFrom: "" };

function goodValue({ kind, name, value }: Field): string {
  return kind === "hidden" ? value : value || (GOOD_BY_NAME[name] ?? GOOD[kind] ?? "Text");
}
