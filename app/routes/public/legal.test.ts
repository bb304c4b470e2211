import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { visit } from "#test/visit.ts";
import { KEPT_DAYS } from "#app/features/chat/rules.ts";
import type { App } from "#app/routes/context.server.ts";
import { storeDefaults } from "../../../db/defaults.ts";
import { loader } from "./legal.tsx";

const database = useDatabase();
let app: App;
beforeAll(async () => {
  app = testApp(database);
  await storeDefaults(app.db, app.env);
});
const openTerms = (as = app) => visit(as, loader, { path: "/terms" });
const openPrivacy = () => visit(app, loader, { path: "/privacy" });

test("the privacy text says how long a chat is kept, as the rule has it", async () => {
  const { content } = (await openPrivacy()).data as { content: string };
  expect(content).toContain(`The chat of a game: until ${KEPT_DAYS} days after it;`);
});

// spec: 2.28, 2.112, 7.29
test("the stored texts, as they are stored at that moment", async () => {
  expect((await openTerms()).data).toMatchObject({ title: "Terms & Conditions" });
  expect((await openPrivacy()).data).toMatchObject({ title: "Privacy Policy" });
  const ours = { title: "Ours", content: "1\n\n2 <b>" };
  const edit = app.db.updateTable("legal_pages").set(ours).where("page_type", "=", "terms");
  await edit.execute();
  expect((await openTerms()).data).toEqual({ ...ours, coming: null });
});

// spec: 8.32
test("a text that is not there, or not to be had, is a page that says so", async () => {
  await app.db.deleteFrom("legal_pages").where("page_type", "=", "privacy").execute();
  expect(await openPrivacy()).toMatchObject({ status: 500, data: null });
  const db = {
    selectFrom() {
      throw new Error("no database");
    },
  };
  const broken = { ...app, db: db as never };
  expect(await openTerms(broken)).toMatchObject({ status: 500, data: null });
});
