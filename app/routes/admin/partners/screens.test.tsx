import { UNSAFE_ErrorResponseImpl as ErrorResponse } from "react-router";
import { expect, test } from "vitest";
import { buttonsOf, headingsOf, linksOf, renderPage, textOf } from "#test/screen.tsx";
import { partners } from "#app/features/partners/partners.server.ts";
import { editForm } from "#app/routes/admin/entity/form-view.server.ts";
import EditPartner, { ErrorBoundary } from "./edit.tsx";
import Partners from "./list.tsx";

const gym = {
  ...{ id: "a", name: "Gym", logoUrl: "/files/partners/a.webp", website: "gym.example" },
  ...{ isActive: true, sortOrder: 1, version: 3 },
  websiteUrl: "https://gym.example/",
};
const edited = { row: gym, form: editForm(partners.fields, gym) };
const cafe = { ...gym, id: "b", name: "Café", isActive: false, logoUrl: null, website: "" };

// spec: 4.36
test("each partner has a switch, its place and its edit", () => {
  const html = renderPage(Partners, { loaderData: { found: [gym, cafe] } });
  expect(headingsOf(html, 3)).toEqual(["Gym", "Café"]);
  const switches = html.matchAll(/role="switch" aria-checked="(\w+)"/g);
  expect([...switches].map(([, isOn]) => isOn)).toEqual(["true", "false"]);
  expect(buttonsOf(html).filter(Boolean)).toEqual(["Active", "Active"]);
  for (const name of ["Gym", "Café"]) {
    expect(html).toContain(`aria-label="Active: ${name}"`);
    for (const direction of ["up", "down"]) expect(html).toContain(`Move ${name} ${direction}`);
  }
  expect(linksOf(html)).toEqual([
    "Add partner → /admin/partners/new",
    "Edit → /admin/partners/a",
    "Edit → /admin/partners/b",
  ]);
  expect(html).toContain('alt="Gym"');
  expect(textOf(html)).toContain("|No logo|");
});

test("without partners the list says what that means", () => {
  const html = renderPage(Partners, { loaderData: { found: [] } });
  expect(textOf(html)).toContain("|No partners yet. The front page leaves their section out.|");
});

// spec: 8.44
test("partners that cannot be read: 'Failed to fetch partners' and Try Again", () => {
  const html = renderPage(Partners, { loaderData: { found: null } });
  expect(textOf(html)).toContain("|Failed to fetch partners|");
  expect(linksOf(html)).toContain("Try Again → /");
});

test("a partner that cannot be read, and one that is gone, say so", () => {
  const failed = renderPage(EditPartner, { loaderData: { found: null } });
  expect(textOf(failed)).toContain("|Failed to fetch partners|");
  expect(linksOf(failed)).toEqual(["Partners → /admin/partners", "Try Again → /"]);
  const gone = new ErrorResponse(404, "Not Found", null);
  const missing = renderPage(ErrorBoundary, { error: gone });
  expect(textOf(missing)).toContain("|There is no such partner any more.|");
  expect(linksOf(missing)).toEqual(["Partners → /admin/partners"]);
});

test("a logo that cannot be used is named beside its field", () => {
  const actionData = { form: "logo", fieldErrors: { logo: "Please select an image file" } };
  const html = renderPage(EditPartner, { loaderData: { found: edited }, actionData });
  expect(html).toMatch(/<input[^>]*aria-invalid="true"/);
  expect(html).toMatch(/<p id="logo-error"[^>]*>Please select an image file</);
});

test("an action that failed is named on the page", () => {
  const actionData = {
    form: "remove",
    title: "Failed to delete partner",
    formError: "Please try again.",
  };
  const html = renderPage(EditPartner, { loaderData: { found: edited }, actionData });
  expect(textOf(html)).toContain("|Failed to delete partner|");
});

// spec: 2.137
test("a partner is deleted after a prompt that asks", () => {
  const html = renderPage(EditPartner, { loaderData: { found: edited } });
  expect(linksOf(html)).toContain("Delete partner → /admin/partners/a?delete");
  const dialog = /<dialog[^>]*>.*<\/dialog>/s.exec(html)?.[0] ?? "";
  expect(textOf(dialog)).toContain("|Delete this partner?|");
  expect(buttonsOf(dialog)).toContain("Delete partner");
  expect(dialog).toContain('value="remove"');
  expect(html.replace(dialog, "")).not.toContain('value="remove"');
});

test("over a conflict the form keeps what was typed, and edits the newest version", () => {
  const actionData = {
    ...{ form: "save", title: "Failed to update partner" },
    values: { name: "Mine", websiteUrl: "", sortOrder: "1" },
    conflict: { version: 4, differences: [{ label: "Name", theirs: "Theirs", yours: "Mine" }] },
  };
  const html = renderPage(EditPartner, { loaderData: { found: edited }, actionData });
  expect(html).toMatch(/name="version" value="4"/);
  expect(html).toMatch(/name="name"[^>]*value="Mine"/);
  expect(textOf(html)).toContain("|Now|Theirs|Yours|Mine|");
});
