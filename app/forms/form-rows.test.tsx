import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { type ActionArgs, formAction, type Posted } from "./form-action.server.ts";
import { formRows } from "./form-rows.server.ts";
import type { FormResult } from "./form-result.ts";

type Saved =
  | { ok: true; count: number }
  | { ok: false; reason: "gone" }
  | { ok: false; reason: "too-few"; missing: number };

const database = useDatabase();
const save = vi.fn<(name: string) => Promise<Saved>>(async () => ({ ok: true, count: 2 }));

const row = formRows(({ fields }: ActionArgs & Posted) => ({
  ...{ env: testApp(database).env, path: "/venues", sent: fields },
}));
const form = row({
  failed: "Failed to save the name",
  keep: ["name"],
  input: z.object({ name: z.string().min(1, "Name is required") }),
  run: ({ input }) => save(input.name),
  errors: {
    gone: ["missing", "There is no such name."],
    "too-few": ({ missing }, { input }) => ["conflict", `${input.name}: ${missing} are missing.`],
  },
  done: ({ count }) => ({ title: `${count} names saved` }),
});

const page = {
  action: formAction(form, form.run),
  default: ({ actionData }: { actionData?: FormResult }) => (
    <pre>{JSON.stringify(actionData ?? null)}</pre>
  ),
};

let ask: AskSite;
beforeAll(async () => {
  ask = await openSite(testApp(database), { path: "added", parentId: "root", module: page });
});
beforeEach(() => {
  save.mockClear();
});

async function post(name = "Ada") {
  const response = await ask("/added", { body: new URLSearchParams({ name }) });
  const shown = /<pre>(.*?)<\/pre>/s.exec(await response.text())?.[1] ?? "null";
  const result = JSON.parse(shown.replaceAll("&quot;", '"')) as FormResult;
  return { status: response.status, headers: response.headers, result };
}

test("a reason becomes the status and the text of its entry, with what was typed", async () => {
  save.mockResolvedValueOnce({ ok: false, reason: "gone" });
  const { status, result } = await post();
  expect(status).toBe(404);
  expect(result).toEqual({
    title: "Failed to save the name",
    values: { name: "Ada" },
    formError: "There is no such name.",
  });
});

test("an entry with facts reads them from the failure and from the input", async () => {
  save.mockResolvedValueOnce({ ok: false, reason: "too-few", missing: 3 });
  const { status, result } = await post();
  expect([status, result.formError]).toEqual([409, "Ada: 3 are missing."]);
});

test("a success leads to the form's page with a toast", async () => {
  const { status, headers } = await post();
  expect([status, headers.get("Location")]).toEqual([302, "/venues"]);
  expect(headers.get("Set-Cookie")).toContain("toast");
});

test("an input that fails its check is a 422, and nothing is run", async () => {
  const { status, result } = await post("");
  expect([status, result.fieldErrors]).toEqual([422, { name: "Name is required" }]);
  expect(save).not.toHaveBeenCalled();
});

test("a reason without an entry, and a reason that is any text, fail the compiler", () => {
  const rest = { failed: "Failed", done: { title: "Saved" } };
  // @ts-expect-error: `too-few` is missing.
  row({ ...rest, run: () => save("Ada"), errors: { gone: ["missing", "Gone"] } });
  const open = async (reason: string) => ({ ok: false, reason }) as const;
  // @ts-expect-error: no set of keys is all texts.
  row({ ...rest, run: () => open("gone"), errors: { gone: ["missing", "Gone"] } });
  expect(save).not.toHaveBeenCalled();
});
