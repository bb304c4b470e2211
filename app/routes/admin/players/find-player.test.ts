import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, NOW } from "#test/fixtures.ts";
import { visit } from "#test/visit.ts";
import type { App } from "#app/routes/context.server.ts";
import { loader as list } from "./list.tsx";
import { loader } from "./show.tsx";

const database = useDatabase();
let app: App;
let admin: Awaited<ReturnType<typeof anAdmin>>;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  admin = await anAdmin(app);
});

async function aNamed(last_name: string): Promise<string> {
  const id = await ada(app.db);
  await app.db.updateTable("profiles").set({ last_name }).where("user_id", "=", id).execute();
  return id;
}

test("the list leads to the only player whom the overview's search has found", async () => {
  const [one, ...others] = [await aNamed("Quill"), await aNamed("Rook"), await aNamed("Rook")];
  const find = async (query: string) => {
    const path = `/admin/players?${query}`;
    const { status, headers } = await visit(app, list, { path, cookie: admin.cookie });
    return [status, headers.get("Location")];
  };
  expect(await find("find=1&q=quill")).toEqual([302, `/admin/players/${one}`]);
  for (const query of ["q=quill", "find=1&q=rook", "find=1&q=nobodyatall", "find=1&q="]) {
    expect(await find(query)).toEqual([200, null]);
  }
  expect(others).toHaveLength(2);
});

test("a player's page shows the last things that the player has written, each with its state", async () => {
  const playerId = await ada(app.db);
  const path = `/admin/players/${playerId}`;
  const tickets = async () =>
    (await visit(app, loader, { path, cookie: admin.cookie })).data.tickets;
  expect(await tickets()).toEqual([]);
  const at = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
  const wrote = { user_id: playerId, message: "Blue ones", subject: "Shoes" };
  const messages = app.db.insertInto("support_messages");
  await messages.values({ ...wrote, created_at: at(3) }).execute();
  await messages.values({ ...wrote, subject: "Done", status: "done", created_at: at(2) }).execute();
  await messages.values({ ...wrote, subject: "Old", created_at: at(9) }).execute();
  await messages.values({ ...wrote, user_id: await ada(app.db), subject: "Theirs" }).execute();
  const reviews = app.db.insertInto("reviews");
  await reviews.values({ user_id: playerId, rating: 4, created_at: at(1) }).execute();
  expect(await tickets()).toMatchObject([
    { kind: "review", title: "4 of 5: Great", state: { name: "Open" } },
    { title: "Done", state: { name: "Done" } },
    { kind: "message", title: "Shoes", state: { name: "Open" } },
  ]);
});
