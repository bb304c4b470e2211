import { sql } from "kysely";
import { aMarkedPlayer } from "./privacy-leak.ts";
import { walk } from "./crawler.ts";
import { formsOf, type FoundForm, kindOf, kindOfPage } from "./page-forms.ts";
import { readPage } from "./html-checker.ts";
import type { HostileText } from "./hostile-texts.ts";
import { singlePurchase, somePacks, deliverEvents } from "./payments.ts";
import { aGame } from "./fixtures.ts";
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

export interface MarkupScenario {
  ask: AskSite;
  /** The Cookie header of a viewer's session. */
  cookies: Record<Viewer, string | undefined>;
  userIds: Record<Viewer, string | null>;
  /** Every page that a viewer may see, and every form on them. */
  pages: Record<Viewer, string[]>;
  forms: { viewer: Viewer; page: string; form: FoundForm }[];
  /** Brings back all rows as they were at first. */
  restore(): Promise<void>;
}

/** A site with content on every page, and what these viewers find and can post there. */
export async function markupScenario(app: App, viewers = VIEWERS): Promise<MarkupScenario> {
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
  const ask = await openSite(app);
  const [asPlayer, asAdmin] = [await signIn(app, player.userId), await signIn(app, admin.userId)];
  const cookies = { visitor: undefined, player: asPlayer, admin: asAdmin };
  const restore = await keepRows(app.db);
  const userIds = { visitor: null, player: player.userId, admin: admin.userId };
  const scenario: MarkupScenario = {
    ask,
    cookies,
    userIds,
    pages: { ...NO_PAGES },
    forms: [],
    restore,
  };
  const { games, token, other } = player;
  const starts = [`/events/${games.left}`, `/events/${games.next}`, `/profile/${other}`];
  starts.push("/", "/events", "/bookings", `/card/${token}`, "/admin/payments", "/nowhere");
  starts.push("/settings/withdraw", "/demo/checkout/pay_per_game", "/demo/checkout/portal");
  starts.push("/demo/checkout/monthly_4", "/wallet/paid?session_id=x", "/auth/reset?token=x");
  starts.push("/auth/forgot", "/auth/confirm?token=x", "/sign-out", "/demo/outbox", "/terms");
  for (const viewer of viewers) await explore(scenario, viewer, starts);
  return scenario;
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

async function explore(scenario: MarkupScenario, viewer: Viewer, from: string[]) {
  const cookie = scenario.cookies[viewer];
  const seen = await walk({ ask: scenario.ask, cookie, from, withData: false });
  // The server serves files; for this site they are missing.
  const pages = seen.filter(({ type, path }) => type.includes("html") && !/\.\w+$/.test(path));
  // The same form counts once, whichever account is signed in.
  const formId = (form: FoundForm) => `${viewer === "visitor"} ${kindOf(form)}`;
  const known = new Set(
    scenario.forms.map(({ viewer: who, form }) => `${who === "visitor"} ${kindOf(form)}`),
  );
  for (const { path, body } of pages) {
    for (const found of formsOf(readPage(body.toString()), path)) {
      const form = withUnseen(found);
      if (known.has(formId(form))) continue;
      known.add(formId(form));
      scenario.forms.push({ viewer, page: path, form });
    }
  }
  scenario.pages[viewer] = pages.map(({ path }) => path);
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

/** What this returns brings back all rows as they are now, whatever has been done since. */
async function keepRows(db: Db): Promise<() => Promise<void>> {
  const { rows: tables } = await sql<{ name: string; columns: string }>`
    select quote_ident(table_name) as name, string_agg(quote_ident(column_name), ', ') as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
    group by table_name`.execute(db);
  const keep = tables.map(({ name }) => `create table kept.${name} as table public.${name};`);
  await sql.raw(`create schema kept; ${keep.join(" ")}`).execute(db);
  const back = tables.map(
    ({ name, columns }) => `delete from public.${name}; insert into public.${name} (${columns})
      overriding system value select ${columns} from kept.${name};`,
  );
  // Restores as a replica: no trigger counts, and no table keeps its rows.
  const restore = `begin; set local session_replication_role = replica; ${back.join(" ")} commit`;
  return async () => void (await sql.raw(restore).execute(db));
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

const KEPT =
  /^(users\.email|profiles\.email|accounts|sessions|verifications|rate_limits|sign_in|migrations|schema)/;
const NO_PAGES: Record<Viewer, string[]> = { visitor: [], player: [], admin: [] };
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
