import type { RouteConfigEntry } from "@react-router/dev/routes";
import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "../../../test/app.ts";
import { useDatabase } from "../../../test/db.ts";
import { signIn, visit } from "../../../test/visit.ts";
import { ben, NOW } from "../../../test/world.ts";
import { makeAdmin } from "../../features/accounts/make-admin.server.ts";
import routes from "../../routes.ts";
import type { App } from "../context.server.ts";

const database = useDatabase();
let app: App;
const cookies: Record<string, string> = {};
beforeAll(async () => {
  app = testApp(database, () => NOW);
  for (const who of ["player", "admin", "demoted"]) {
    const id = await ben(app.db);
    if (who !== "player") await makeAdmin(app.db, await emailOf(id), "test");
    cookies[who] = await signIn(app, id);
    if (who === "demoted") await takeRole(id);
  }
});

async function emailOf(id: string): Promise<string> {
  const profile = app.db.selectFrom("profiles").select("email").where("user_id", "=", id);
  return (await profile.executeTakeFirstOrThrow()).email;
}
const takeRole = (id: string) =>
  app.db.deleteFrom("user_roles").where("user_id", "=", id).execute();

interface Page {
  loader: (args: never) => unknown;
  action: (args: never) => unknown;
}
const desk: RouteConfigEntry[] = under(routes, "");

/** Every route whose address begins with /admin. */
function under(entries: RouteConfigEntry[], parent: string): RouteConfigEntry[] {
  return entries.flatMap((entry) => {
    const path = [parent, entry.path].filter(Boolean).join("/");
    const own = /^admin(\/|$)/.test(path) ? [{ ...entry, path }] : [];
    return [...own, ...under(entry.children ?? [], path)];
  });
}

test("the desk has its routes", () => {
  expect(desk.map(({ path }) => path)).toEqual(["admin", "admin/payments", "admin/*"]);
});

describe.each(desk)("$path", ({ file, path = "" }) => {
  const at = `/${path.replace("*", "no/such.page")}`;
  const page = async (): Promise<Page> => import(/* @vite-ignore */ `../../${file}`);
  const open = async (who?: string) =>
    visit(app, (await page()).loader, { path: at, cookie: cookies[who ?? ""] ?? "" });
  const post = async (who?: string) =>
    visit(app, (await page()).action, {
      path: at,
      cookie: cookies[who ?? ""] ?? "",
      body: { intent: "dismiss", eventId: "evt_1" },
    });

  test("a visitor is sent to sign in, and back", async () => {
    for (const { status, headers } of [await open(), await post()]) {
      const location = `/auth?redirectTo=${encodeURIComponent(at)}`;
      expect([status, headers.get("Location")]).toEqual([302, location]);
    }
  });

  test.each(["player", "demoted"])("a %s is denied", async (who) => {
    for (const { status, data } of [await open(who), await post(who)]) {
      expect([status, data]).toEqual([403, "Access Denied"]);
    }
  });

  test("an admin is not", async () => {
    expect((await open("admin")).status).not.toBe(403);
    expect((await post("admin")).status).not.toBe(403);
  });
});

test("the desk opens on its payments", async () => {
  const { loader } = await import("./index.ts");
  const { status, headers } = await visit(app, loader, { path: "/admin", cookie: cookies.admin! });
  expect([status, headers.get("Location")]).toEqual([302, "/admin/payments"]);
});
