import type { ComponentType } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { visit } from "#test/visit.ts";
import { addPartner } from "#app/features/partners/partners.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";
import Landing, { loader } from "./landing.tsx";

const database = useDatabase();
let app: App;
beforeAll(() => {
  app = testApp(database);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await app.db.deleteFrom("partners").execute();
});

async function render(as = app): Promise<string> {
  const { status, data } = await visit(as, loader, { path: "/" });
  expect(status).toBe(200);
  const Page = Landing as ComponentType<{ loaderData: unknown }>;
  const Component = () => <Page loaderData={data} />;
  const Stub = createRoutesStub([{ id: "root", path: "/", Component }]);
  return renderToStaticMarkup(<Stub hydrationData={{ loaderData: { root: { site: as.env } } }} />);
}

const add = (name: string, rest: Partial<Parameters<typeof addPartner>[1]> = {}) =>
  addPartner(app.db, { name, logo_url: `/partners/${name}.svg`, ...rest });

// spec: 1.13, 9.29
test("every logo is in two lists, one of them hidden from assistive technology", async () => {
  await add("Second", { sort_order: 2, website_url: "https://second.example/" });
  await add("First", { sort_order: 1 });
  await add("Gone", { sort_order: 0, is_active: false });
  const [, partners = ""] = (await render()).split('id="partners"');
  const [, heard, copy] = partners.split(/(?=<ul)/);
  expect(copy).toMatch(/^<ul aria-hidden="true" inert=""/);
  for (const list of [heard!, copy!.split("</ul>")[0]!]) {
    expect([...list.matchAll(/alt="(\w+)"/g)].map(([, name]) => name)).toEqual(["First", "Second"]);
  }
  expect(heard).toMatch(/<a href="https:\/\/second\.example\/" rel="noopener"/);
  expect(copy!.split("</ul>")[0]).not.toContain("<a ");
});

test("a website that is no web address is not linked", async () => {
  await add("Trap", { website_url: "javascript:alert(1)" });
  await add("Typo", { website_url: "www.example" });
  const html = await render();
  expect(html).toContain('alt="Trap"');
  expect(html).not.toContain("javascript:");
  expect(html).not.toContain("www.example");
});

test("a partner without a logo is not there yet, and alone makes no section", async () => {
  await add("Nameplate", { logo_url: null });
  expect(await render()).not.toContain("They Trust Us");
  await add("First");
  const html = await render();
  expect(html).toContain('alt="First"');
  expect(html).not.toContain("Nameplate");
});

// spec: 1.15, 9.30
test("no active partner, no section", async () => {
  await add("Gone", { is_active: false });
  const html = await render();
  expect(html).not.toContain("They Trust Us");
  expect(html).toContain("Join Your Campus Today");
});

// spec: 8.13
test("partners that cannot be read are left out, and the log says why", async () => {
  const logged = vi.spyOn(log, "error").mockImplementation(() => {});
  const err = new Error("no database");
  const selectFrom = () => {
    throw err;
  };
  const html = await render({ ...app, db: { selectFrom } as never });
  expect(html).not.toContain("They Trust Us");
  expect(html).toContain("Join Your Campus Today");
  expect(logged).toHaveBeenCalledWith({ err }, "loading the partners");
});

// spec: 1.11, 1.12, 1.14
test("three cards, three testimonials and the calls to sign up and in", async () => {
  const html = await render();
  for (const title of ["Browse Campus Events", "Student Community", "Campus Focus"]) {
    expect(html).toMatch(new RegExp(`<h2[^>]*>${title}</h2>`));
  }
  expect(html.match(/<blockquote/g)).toHaveLength(3);
  expect(html).toMatch(/href="\/auth\?tab=sign-up"[^>]*>Sign up</);
  expect(html).toMatch(/href="\/auth"[^>]*>Sign in</);
});
