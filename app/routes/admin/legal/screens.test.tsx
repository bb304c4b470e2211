import { expect, test } from "vitest";
import { headingsOf, linksOf, renderPage, textOf } from "#test/screen.tsx";
import Terms from "#app/routes/public/legal.tsx";
import EditLegalPage from "./edit.tsx";
import LegalPages from "./list.tsx";
import LegalVersion from "./version.tsx";

const saved = "Saved Nov 21, 2026, 12:00 by Ada";
const editor = {
  ...{
    type: "terms",
    name: "Terms & Conditions",
    title: "Terms",
    content: "Be kind.",
    version: 2,
    saved,
    former: null,
  },
  ...{ coming: null, comingVersion: 0, holdsFrom: "" },
  ...{ warning: null, versions: [{ version: 1, title: "Old", saved }], next: null, first: null },
};
const edit = (more: object, actionData?: object) =>
  renderPage(EditLegalPage, { loaderData: { found: { ...editor, ...more } }, actionData });

test("both pages can be edited and looked at, and say when they were saved", () => {
  const page = {
    type: "terms",
    name: "Terms & Conditions",
    title: "Our rules",
    saved,
    warning: "No hours.",
  };
  const html = renderPage(LegalPages, { loaderData: { found: [page] } });
  expect(linksOf(html)).toEqual(["Edit → /admin/legal/terms", "View the page → /terms"]);
  expect(textOf(html)).toContain(`|Terms & Conditions|Our rules|${saved}|No hours.|`);
});

// spec: 8.51
test.each([
  ["the list", LegalPages],
  ["the editor", EditLegalPage],
  ["a former text", LegalVersion],
])("%s that cannot be read: 'Failed to load legal pages' and Try Again", (_, page) => {
  const html = renderPage(page, { loaderData: { found: null } });
  expect(textOf(html)).toContain("|Failed to load legal pages|");
  expect(linksOf(html)).toContain("Try Again → /");
});

test("the editor holds title and content, and leads to the former texts", () => {
  const html = edit({});
  expect(html).toMatch(/name="title"[^>]*value="Terms"/);
  expect(html).toMatch(/<textarea[^>]*name="content"[^>]*>Be kind\.<\/textarea>/);
  expect(linksOf(html)).toContain(`Version 1: Old ${saved} → /admin/legal/terms/versions/1`);
});

test("the preview is drawn as the public page draws it", () => {
  const text = { title: "Terms", content: "Be kind.\n\n<b>Play</b> fair." };
  const preview = { ...text, warning: "No hours." };
  const html = edit({}, { form: "preview", values: text, preview });
  const [drawn] = /<div class="[^"]*whitespace-pre-line[^"]*">.*?<\/div>/s.exec(html) ?? [];
  expect(drawn).toContain("&lt;b&gt;Play");
  expect(renderPage(Terms, { loaderData: text })).toContain(drawn);
  expect(headingsOf(html, 3)).toContain("Terms");
  expect(textOf(html)).toContain("|No hours.|");
});

test("a failure is shown on the page: 'Failed to update legal page'", () => {
  const failure = { title: "Failed to update legal page", formError: "Please try again." };
  const html = edit({}, { form: "save", values: { title: "T", content: "Mine" }, ...failure });
  expect(textOf(html)).toContain("|Failed to update legal page|");
  expect(html).toContain(">Mine</textarea>");
});

test("a failed form edits the version that it was sent with, and after a conflict the newest", () => {
  const values = { title: "T", content: "Mine", version: "1" };
  expect(edit({}, { form: "preview", values })).toMatch(/name="version" value="1"/);
  const conflict = { version: 3, differences: [] };
  expect(edit({}, { form: "save", values, conflict })).toMatch(/name="version" value="3"/);
});

test("a former text in the editor says that nothing has changed yet", () => {
  const text = textOf(edit({ former: 1 }));
  expect(text).toMatch(/This is version .*1.*\. Nothing has changed yet/);
});
