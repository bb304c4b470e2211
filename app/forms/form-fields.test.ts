import { expect, test } from "vitest";
import { echoOf, formFields, readForm } from "./form-fields.server.ts";

const post = (body: BodyInit) => new Request("http://kickabout.test/", { method: "POST", body });

test("a field that is repeated or a file is missing, whatever it is called", async () => {
  const form = new FormData();
  for (const name of ["a", "b", "b", "b", "__proto__", "constructor"]) form.append(name, name);
  form.append("file", new File(["1"], "x"));
  form.append("a2", "1");
  form.append("a2", new File(["1"], "x"));
  const fields = await formFields(post(form));
  expect(Object.entries(fields)).toEqual([
    ...[["a", "a"]],
    ["__proto__", "__proto__"],
    ["constructor", "constructor"],
  ]);
});

test("ids and keys are read in lower case, what was typed as it is", async () => {
  const upper = "0B9D3C1E-8B7A-4C55-9F10-7A0C5E1D2F34";
  const form = { formKey: upper, answerId: upper, eventId: "evt_A", note: upper };
  expect(await formFields(post(new URLSearchParams(form)))).toEqual({
    ...form,
    formKey: upper.toLowerCase(),
    answerId: upper.toLowerCase(),
  });
});

test("more fields than a form has are a 400", async () => {
  const body = new URLSearchParams(Array.from({ length: 501 }, (_, n) => [`n${n}`, ""]));
  for (const read of [formFields, readForm]) {
    await expect(read(post(body))).rejects.toMatchObject({ init: { status: 400 } });
  }
});

test("only a form's own fields are shown again, and not all of an endless one", () => {
  const fields = { name: "Ann", note: "x".repeat(20_000), password: "Kickabout1", toString: "1" };
  const shown = echoOf(fields, ["name", "note", "phone", "constructor"]);
  expect(shown).toEqual({ name: "Ann", note: "x".repeat(10_000) });
});
