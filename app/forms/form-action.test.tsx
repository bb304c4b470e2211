import { data, redirect } from "react-router";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { log } from "#app/platform/log.server.ts";
import { OutcomeUnknownError } from "#app/platform/postgres/commit-outcome.server.ts";
import { BusyError } from "#app/platform/fair-queue.server.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { fail, formAction, formActions, parseForm, type Posted } from "./form-action.server.ts";
import { FormErrors } from "./form-errors.tsx";
import type { FormResult } from "./form-result.ts";

const database = useDatabase();
let run: (posted: Posted) => Promise<unknown> = async () => null;

const nameInput = z.object({ name: z.string().min(1, "Name is required") });
const OPTIONS = { failed: "Failed to save the name", keep: ["name", "note"] };

/** A page of one form, or of several, that shows what its action hands to it. */
const page = (action: unknown) => ({
  action,
  default: ({ actionData }: { actionData?: FormResult }) => (
    <main>
      <FormErrors result={actionData} />
      <pre>{JSON.stringify(actionData ?? null)}</pre>
    </main>
  ),
});
const one = page(formAction(OPTIONS, (posted: Posted & { request: Request }) => run(posted)));
const several = page(
  formActions({
    save: { ...OPTIONS, run: (posted: Posted & { request: Request }) => run(posted) },
  }),
);

let ask: AskSite;
beforeAll(async () => {
  ask = await openSite(testApp(database), { path: "added", parentId: "root", module: one });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const NAME = { name: "Töölö", note: "<b>", password: "Secret-1" };

async function post(fields: Record<string, string> = NAME, site = ask) {
  const response = await site("/added", { body: new URLSearchParams(fields) });
  const html = await response.text();
  const shown = /<pre>(.*?)<\/pre>/s.exec(html)?.[1]?.replaceAll("&quot;", '"') ?? "null";
  const result = JSON.parse(shown.replaceAll("&lt;", "<").replaceAll("&gt;", ">")) as FormResult;
  return { status: response.status, headers: response.headers, html, result };
}

const KNOWN = { title: OPTIONS.failed, values: { name: "Töölö", note: "<b>" } };

describe("a form that fails", () => {
  test("for a reason keeps its own fields as they were typed, and no password", async () => {
    run = async () => fail(409, { formError: "The name is taken." });
    const { status, result, html } = await post();
    expect([status, result]).toEqual([409, { ...KNOWN, formError: "The name is taken." }]);
    expect(html).not.toContain("Secret-1");
    expect(html).toContain("The name is taken.");
  });

  test("for a reason that is a constant leaves nothing in it for the next request", async () => {
    const taken = { formError: "The name is taken." };
    run = async () => fail(409, taken);
    await post();
    expect(taken).toEqual({ formError: "The name is taken." });
  });

  test("by a field names the first error of each field", async () => {
    run = async ({ fields }) => parseForm(nameInput, fields);
    const { status, result } = await post({ ...NAME, name: "" });
    expect(status).toBe(422);
    expect(result).toMatchObject({ fieldErrors: { name: "Name is required" }, title: KNOWN.title });
  });

  test("by accident is logged and says that it can be tried again", async () => {
    const logged = vi.spyOn(log, "error").mockImplementation(() => {});
    run = async () => {
      throw new Error("gone");
    };
    const { status, result } = await post();
    expect([status, result]).toEqual([500, { ...KNOWN, formError: "Please try again." }]);
    expect(logged).toHaveBeenCalledExactlyOnceWith({ err: new Error("gone") }, OPTIONS.failed);
  });

  test("because too much waits is a 503", async () => {
    vi.spyOn(log, "error").mockImplementation(() => {});
    run = async () => {
      throw new BusyError();
    };
    const { status, result } = await post();
    expect([status, result.values]).toEqual([503, KNOWN.values]);
  });

  test("with an unknown outcome is not shown as a failure", async () => {
    run = async () => {
      throw new OutcomeUnknownError();
    };
    const { status, html } = await post();
    expect(status).toBe(503);
    expect(html).toContain("We could not check whether that worked");
  });

  test("because its page is not there leaves that to the error screens", async () => {
    run = async () => {
      throw data(null, { status: 404 });
    };
    const { status, html } = await post();
    expect(status).toBe(404);
    expect(html).toContain("Page not found");
  });
});

test("a form that succeeds leads on", async () => {
  run = async () => redirect("/venues");
  const { status, headers } = await post();
  expect([status, headers.get("Location")]).toEqual([302, "/venues"]);
});

describe("of several forms", () => {
  const askSeveral = () =>
    openSite(testApp(database), { path: "added", parentId: "root", module: several });

  test("the one that was sent is named", async () => {
    run = async () => fail(409, { formError: "The name is taken." });
    const { result } = await post({ ...NAME, intent: "save" }, await askSeveral());
    expect(result.form).toBe("save");
  });

  test.each(["", "erase", "constructor"])("%j is none", async (intent) => {
    run = async () => redirect("/venues");
    expect((await post({ ...NAME, intent }, await askSeveral())).status).toBe(400);
  });
});
