export type Values = Record<string, string[]>;
type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Nobody sees or changes these, or they must not be stored: passwords, codes, files. */
const UNKEPT = new Set(["hidden", "password", "file", "submit", "button", "reset", "image"]);
const SECRET = /one-time-code|password/;

/** A form with text takes time to type again; a search does not. */
export function hasText(form: HTMLFormElement): boolean {
  if (form.getAttribute("method") !== "post" || form.dataset.draft === "none") return false;
  return fieldsOf(form).some((field) => !isChoice(field) && field.type !== "select-one");
}

/** `names` also finds fields that have become hidden, such as a search field's value. */
export function readFields(form: HTMLFormElement, names: string[] = []): Values {
  return valuesOf(fieldsOf(form, names), (field) => [
    field.value,
    isChoice(field) && field.checked,
  ]);
}

/** Reads them as the page came, whatever was typed before its scripts ran. */
export function savedFields(form: HTMLFormElement): Values {
  return valuesOf(fieldsOf(form), (field) => {
    if (field instanceof HTMLSelectElement) {
      const chosen = [...field.options].find(({ defaultSelected }) => defaultSelected);
      return [chosen?.value ?? field.value, false];
    }
    if (isChoice(field)) return [field.value, field.defaultChecked];
    return [field.defaultValue, false];
  });
}

function valuesOf(fields: Field[], read: (field: Field) => [value: string, isTicked: boolean]) {
  const values: Values = {};
  for (const field of fields) {
    const list = (values[field.name] ??= []);
    const [value, isTicked] = read(field);
    if (!isChoice(field) || isTicked) list.push(value);
  }
  return values;
}

export function isChanged(form: HTMLFormElement, from: Values): boolean {
  const values = readFields(form, Object.keys(from));
  return Object.keys(values).some((name) => {
    return from[name] && values[name]!.join("\n") !== from[name].join("\n");
  });
}

/** Fills as if typed, so that fields controlled by React take it too. */
export function fillFields(form: HTMLFormElement, values: Values): void {
  const left = structuredClone(values);
  for (const field of fieldsOf(form)) {
    const given = left[field.name];
    if (!given) continue;
    if (isChoice(field)) {
      const isGiven = given.includes(field.value);
      if (isGiven === field.checked) continue;
      // A click cannot take back a radio button.
      if (field.type === "radio" && !isGiven) field.checked = false;
      else field.click();
    } else type(field, given.shift() ?? "");
  }
}

function fieldsOf(form: HTMLFormElement, names: string[] = []): Field[] {
  return [...form.elements].filter((element): element is Field => {
    if (!("autocomplete" in element) || !(element as Field).name) return false;
    const { type, name, autocomplete } = element as Field;
    if (type === "hidden") return names.includes(name);
    return !UNKEPT.has(type) && !SECRET.test(autocomplete);
  });
}

const isChoice = (field: Field): field is HTMLInputElement =>
  field.type === "checkbox" || field.type === "radio";

// React overrides the element's own setter to tell its changes from others'.
function type(field: Field, value: string): void {
  if (field.value === value) return;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
  for (const event of ["input", "change"]) {
    field.dispatchEvent(new Event(event, { bubbles: true }));
  }
}
