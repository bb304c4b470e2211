import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { inject } from "vitest";
import { testApp } from "./app.ts";
import { closeDatabase, copyDatabase, useDatabase } from "./db.ts";
import { keepRows, restoreRows } from "./kept-rows.ts";
import { administer, folderOfSite, siteOf } from "./postgres.ts";
import { aMarkedPlayer } from "./privacy-leak.ts";
import { walk } from "./crawler.ts";
import { formsOf, type FoundForm, kindOf, kindOfPage } from "./page-forms.ts";
import { readPage } from "./html-checker.ts";
import type { HostileText } from "./hostile-texts.ts";
import { singlePurchase, somePacks, deliverEvents } from "./payments.ts";
import { aGame, NOW } from "./fixtures.ts";
import { signIn } from "./visit.ts";
import { type AskSite, openSite } from "./whole-site.ts";
import { storeDefaults } from "../db/defaults.ts";
import { addPartner } from "#app/features/partners/partners.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { addAccount } from "./accounts.ts";
import { makeAdmin } from "#app/features/accounts/account-status.server.ts";

export type Viewer = "visitor" | "player" | "admin";
export const VIEWERS: Viewer[] = ["visitor", "player", "admin"];

export interface MarkupScenario extends FoundSite {
  ask: AskSite;
  /** Brings back all rows as they were at first. */
  restore(): Promise<void>;
}

interface FoundSite {
  /** The Cookie header of a viewer's session. */
  cookies: Record<Viewer, string | undefined>;
  userIds: Record<Viewer, string | null>;
  /** Every page that a viewer may see, and every form on them. */
  pages: Record<Viewer, string[]>;
  forms: { viewer: Viewer; page: string; form: FoundForm }[];
  /** One page of each kind, as the viewer was shown it. */
  shown: Record<Viewer, { page: string; html: string }[]>;
}

/**
 * A site with content on every page, and what its viewers find and can post there. The database is
 * that of `useSite`.
 */
export async function markupScenario(app: App): Promise<MarkupScenario> {
  const folder = folderOfSite(inject("template"));
  cpSync(path.join(folder, "files"), app.env.dataDir, { recursive: true });
  const found = JSON.parse(readFileSync(path.join(folder, "found.json"), "utf8")) as FoundSite;
  return { ...found, ask: await openSite(app), restore: () => restoreRows(app.db) };
}

/** The same as useDatabase, with that site in it. The first file of a run that asks makes it for all. */
export const useSite = () => useDatabase(undefined, siteTemplate);

async function siteTemplate(): Promise<string> {
  const name = siteOf(inject("template"));
  const client = new pg.Client(inject("server"));
  await client.connect();
  // Other processes wait here. The lock ends with its connection.
  await client.query("select pg_advisory_lock(hashtext($1))", [name]);
  const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
  if (rowCount === 0) await makeTemplate(name).finally(() => client.end());
  else await client.end();
  return name;
}

async function makeTemplate(name: string) {
  const draft = `${name}_draft`;
  // What has failed half-way is made again.
  await administer(inject("server"), `drop database if exists ${draft} with (force)`);
  const database = await copyDatabase(draft, inject("template"));
  const folder = folderOfSite(inject("template"));
  const dataDir = path.join(folder, "files");
  mkdirSync(dataDir, { recursive: true });
  const plain = testApp(database, () => NOW);
  const found = await makeSite({ ...plain, env: { ...plain.env, dataDir } });
  writeFileSync(path.join(folder, "found.json"), JSON.stringify(found));
  await closeDatabase(database);
  await administer(inject("server"), `alter database ${draft} rename to ${name}`);
}

async function makeSite(app: App): Promise<FoundSite> {
  await somePacks(app.db);
  const player = await aMarkedPlayer(app);
  await storeDefaults(app.db, app.env);
  await aGame(app.db, { status: "Draft" });
  await aGame(app.db, { min_players: 5 });
  const admin = await addAccount(app);
  await makeAdmin(app.db, admin.email, "test");
  await keepAccounts(app, [player.userId, admin.userId]);
  await deliverEvents(app, singlePurchase(null).completed);
  await addPartner(app.db, PARTNER);
  await app.db.updateTable("venues").set(VENUE).execute();
  const [asPlayer, asAdmin] = [await signIn(app, player.userId), await signIn(app, admin.userId)];
  await keepRows(app.db);
  const found: FoundSite = {
    cookies: { visitor: undefined, player: asPlayer, admin: asAdmin },
    userIds: { visitor: null, player: player.userId, admin: admin.userId },
    pages: { visitor: [], player: [], admin: [] },
    forms: [],
    shown: { visitor: [], player: [], admin: [] },
  };
  const { games, token, other } = player;
  const starts = [`/events/${games.left}`, `/events/${games.next}`, `/profile/${other}`];
  starts.push("/", "/events", "/bookings", `/card/${token}`, "/admin/payments", "/nowhere");
  starts.push("/settings/withdraw", "/demo/checkout/pay_per_game", "/demo/checkout/portal");
  starts.push("/demo/checkout/monthly_4", "/wallet/paid?session_id=x", "/auth/reset?token=x");
  starts.push("/auth/forgot", "/auth/confirm?token=x", "/sign-out", "/demo/outbox", "/terms");
  const ask = await openSite(app);
  for (const viewer of VIEWERS) await explore(ask, found, viewer, starts);
  return found;
}

/** What forms are filled in with opens one account, and cannot delete those that look. */
async function keepAccounts({ db, accounts }: App, keep: string[]) {
  const password = await accounts.hashPassword("Another-Password-1");
  await db.updateTable("accounts").set({ password }).where("user_id", "in", keep).execute();
  const { userId } = await addAccount({ db, accounts });
  const email = "somebody@uni.example";
  await db.updateTable("users").set({ email }).where("id", "=", userId).execute();
  await db.updateTable("profiles").set({ email }).where("user_id", "=", userId).execute();
}

async function explore(ask: AskSite, site: FoundSite, viewer: Viewer, from: string[]) {
  const seen = await walk({ ask, cookie: site.cookies[viewer], from, withData: false });
  // The server serves files; for this site they are missing.
  const pages = seen.filter(({ type, path }) => type.includes("html") && !/\.\w+$/.test(path));
  // The same form counts once, whichever account is signed in.
  const formId = (form: FoundForm) => `${viewer === "visitor"} ${kindOf(form)}`;
  const known = new Set(
    site.forms.map(({ viewer: who, form }) => `${who === "visitor"} ${kindOf(form)}`),
  );
  for (const { path, body } of pages) {
    for (const found of formsOf(readPage(body.toString()), path)) {
      const form = withUnseen(found);
      if (known.has(formId(form))) continue;
      known.add(formId(form));
      site.forms.push({ viewer, page: path, form });
    }
  }
  site.pages[viewer] = pages.map(({ path }) => path);
  const bodies = new Map(pages.map(({ path, body }) => [path, body.toString()]));
  const one = pagesInTurn(site.pages[viewer], 0);
  site.shown[viewer] = one.map((page) => ({ page, html: bodies.get(page)! }));
}

/** What an action reads of a field that its form does not have; others send it all the same. */
function withUnseen(form: FoundForm): FoundForm {
  const isCancel = form.fields.some(({ value }) => value === "cancel");
  if (!isCancel) return form;
  return { ...form, fields: [...form.fields, { name: "reason", kind: "text", value: "" }] };
}

/** Takes another page of each kind each turn. */
export function pagesInTurn(pages: string[], turn: number): string[] {
  const kinds = Object.values(Object.groupBy(pages, kindOfPage));
  return kinds.map((kind) => kind![turn % kind!.length]!);
}

interface Column {
  table: string;
  column: string;
  isList: boolean;
}

/** Every text column that a page may show; emails and ids stay, or no session would be valid. */
export async function textColumns(db: Db): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select table_name as "table", column_name as "column", data_type = 'ARRAY' as "isList"
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and udt_name in ('text', 'varchar', '_text')
    order by table_name, column_name`.execute(db);
  return rows.filter(({ table, column }) => !KEPT.test(`${table}.${column}`));
}

/** Writes a text into every row of a column, cut to what it holds; false where the database rejects it. */
export async function writeEverywhere(db: Db, where: Column, { text }: HostileText) {
  // PostgreSQL stores neither of them, from wherever they come.
  const storable = text.replaceAll("\u0000", "").toWellFormed();
  for (const length of [15_000, 1_000, 120, 60, 50, 30]) {
    const cut = [...storable].slice(0, length).join("");
    const value = where.isList ? [cut] : cut;
    const update = sql`update ${sql.table(where.table)} set ${sql.ref(where.column)} = ${value}`;
    const written = await update.execute(db).catch(() => null);
    if (written) return true;
  }
  return false;
}

/** What the database takes only a few values for, or another one in each row. */
export const CLOSED_COLUMNS = new Set([
  ...["audit_log.action", "audit_log.actor", "audit_log.subject", "bookings.attendance"],
  ...["bookings.end_reason", "bookings.no_show_excuse", "bookings.payment_status"],
  ...["calendar_feeds.token", "cash_payments.method", "cash_payments.undone_kind"],
  ...["chat_messages.kind", "chat_messages.removed_by"],
  ...["credit_lots.source", "credit_packs.pack_key"],
  ...["credit_packs.stripe_payment_link_id", "credit_packs.stripe_price_id"],
  ...["game_teams.bib", "games.decision", "games.level"],
  ...["games.status", "legal_pages.page_type", "payment_references.id"],
  ...["payments.ledger_key", "payments.stripe_object_id"],
  ...["profiles.nationality_code", "profiles.position", "profiles.school_year"],
  ...["profiles.sort_name", "reviews.status", "shared_cards.token", "stripe_events.id"],
  ...["stripe_events.status", "support_messages.kind", "support_messages.status"],
  ...["user_roles.role", "users.person_email", "users.suspended_reason"],
  ...["waitlist_entries.end_reason", "waitlist_entries.mode", "waitlist_entries.passed_over"],
  ...["waitlist_entries.status", "week_changes.source"],
  ...["wallet_transactions.business_key", "wallet_transactions.notes"],
  ...["wallet_transactions.status", "wallet_transactions.type"],
]);

const KEPT =
  /^(users\.email|profiles\.email|accounts|sessions|verifications|rate_limits|sign_in|migrations|schema)/;
const PARTNER = {
  name: "Töölö Bikes",
  logo_url: "/partners/x.svg",
  website_url: "https://a.example",
};
const VENUE = {
  description: "A hall.",
  maps_url: "https://maps.example/1",
  website: "https://hall.example/",
  photo_urls: ["/venues/otaniemi-1-960.webp"],
  photo_alts: ["The hall"],
};
