import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";
import { NOTICES } from "#app/notices.server.ts";
import { listScheduledJobs } from "../worker.ts";
import { testApp } from "./app.ts";
import { useDatabase } from "./db.ts";
import { allAddresses } from "./whole-site.ts";

/*
 * What the default legal texts promise, each with what keeps it. A new promise needs a row; a row
 * whose screen, notice, job or code is gone fails.
 */
type Keeper =
  | { page: string }
  | { notice: string }
  | { job: string }
  | { code: [file: string, text: string] };

const TELL = { page: "/admin/players/announcements/new" };
const INBOX = { page: "/admin/inbox/:ticketId" };
const IMPORTANT = { notice: "important-announcement" };
const code = (file: string, text: string): Keeper => ({ code: [file, text] });

const TERMS: Record<string, Keeper[]> = {
  "You can delete the account at any time": [{ page: "/settings/delete-account" }],
  "credits that are left then lapse": [{ page: "/settings/delete-account" }],
  "A plan renews every month at the price": [{ page: "/wallet" }],
  "until they are settled, you cannot join": [
    code("app/features/bookings/join-game.server.ts", "debtCents"),
  ],
  "Credits of a monthly plan can be used until": [{ job: "credits" }],
  "Credits that you get back can be used": [
    code("app/features/wallet/lots.server.ts", "function restoreLots"),
  ],
  "what comes back to a month that is over": [
    code("app/features/wallet/lots.server.ts", "function restoreLots"),
  ],
  "You can cancel at any time in your wallet": [{ page: "/wallet" }],
  "If a price is to change, we tell you": [TELL, IMPORTANT],
  "You cancel under My Games": [{ page: "/bookings" }, { notice: "booking-cancelled" }],
  "You get everything back that you paid": [{ job: "refunds" }, { notice: "game-cancelled" }],
  "you get the full price back": [{ notice: "game-changed" }, { page: "/bookings" }],
  "you may withdraw from a purchase": [{ page: "/settings/withdraw" }],
  "We acknowledge it by email at once, and refund": [
    { notice: "withdrawal" },
    { notice: "withdrawal-ended" },
    INBOX,
  ],
  "you can take the statement back": [{ page: "/settings/withdraw" }],
  "When a dispute ends in our favour, you get": [
    code("app/features/wallet/stripe/apply-stripe-event.server.ts", "export async function"),
  ],
  "We tell you by email at least 30 days before": [
    { page: "/admin/legal/:pageType" },
    { job: "legal texts" },
    TELL,
    IMPORTANT,
  ],
  "and we refund unused bought credits": [{ page: "/settings/contact-support" }, INBOX],
  "When the account is deleted they lapse": [{ page: "/settings/delete-account" }],
  "we answer within 14 days": [INBOX, { notice: "answer" }],
};

const PRIVACY: Record<string, Keeper[]> = {
  "you can remove them": [{ page: "/profile" }],
  "you can switch each of them off": [
    { page: "/settings/notifications" },
    { page: "/unsubscribe/:token" },
  ],
  "until you stop sharing it": [{ page: "/profile/player-card" }],
  "until you renew it or turn it off": [{ page: "/settings/calendar" }],
  "Sign-ups that nobody confirms: 30 days": [{ job: "sign-ups" }],
  "messages and reviews: until you delete your account": [{ page: "/settings/delete-account" }],
  "What organisers write to the players of a game: for a year": [{ job: "messages" }],
  "The chat of a game: until 90 days after it": [{ job: "chats" }],
  "you can delete each of your messages": [{ page: "/events/:gameId/chat" }],
  "Who came with whom: 30 days": [{ job: "past holds" }],
  "for six years after the end of the year": [{ page: "/settings/delete-account" }],
  "for a year, as a keyed hash": [{ job: "free sessions" }],
  "For 18 months, as long as banks": [{ job: "former debts" }],
  "at most for three years after the deletion": [{ job: "former debts" }],
  "Sessions: 30 days after their last use, 90 days at most": [
    code("app/features/accounts/sessions.server.ts", "function deleteExpiredSessions"),
  ],
  "organisers' 12 hours": [code("app/features/accounts/rules.ts", "ADMIN_IDLE_HOURS = 12")],
  "The secret of two-factor sign-in: until": [{ page: "/settings/two-factor" }],
  "for push messages: until": [{ page: "/settings/notifications" }],
  "What notifications were sent: 60 days": [
    { job: "sent notifications" },
    { job: "past announcements" },
  ],
  "Counts of failed sign-ins: a day": [
    code("app/features/accounts/throttles.server.ts", "FAILURES_COUNT_HOURS"),
  ],
  "Email jobs: about an hour": [code("app/platform/jobs.server.ts", "deleteAfterSeconds: 3_600")],
  "Backups and logs: 90 days": [code("docs/operations.md", "--keep 90")],
  "until you log out": [{ page: "/sign-out" }],
  "You may see, correct, delete and take": [
    { page: "/settings/my-data.zip" },
    { page: "/settings/delete-account" },
  ],
  "we answer within a month": [INBOX, { notice: "answer" }],
  "we tell you by email before": [{ page: "/admin/legal/:pageType" }, TELL, IMPORTANT],
};

/** What we do, what players get and may do, and for how long something is kept; not whom else to ask. */
const PROMISE =
  /\bwe (tell|answer|refund|acknowledge|delete|give|send)\b|\byou (get|may|can (?!ask|also))|\blapse\b|\buntil (you|they|\d)|: (for|\d+) |\b(days|hours) after\b|\bat most\b/i;

const sentencesOf = (page: string) =>
  readFileSync(path.join(projectRoot, "app/features/legal", `${page}.txt`), "utf8")
    .split(/\n|(?<=[.;])\s+/)
    .filter((sentence) => PROMISE.test(sentence));

test.each([
  ["terms", TERMS],
  ["privacy", PRIVACY],
])("each promise of the %s has what keeps it", (page, rows) => {
  const text = readFileSync(path.join(projectRoot, "app/features/legal", `${page}.txt`), "utf8");
  expect(Object.keys(rows).filter((promise) => !text.includes(promise))).toEqual([]);
  const known = (sentence: string) => Object.keys(rows).some((row) => sentence.includes(row));
  expect(sentencesOf(page).filter((sentence) => !known(sentence))).toEqual([]);
});

const database = useDatabase();

test("what keeps a promise is there", () => {
  const { env } = testApp(database);
  const names = listScheduledJobs({ env, ...database }).map(({ name }) => name);
  const kinds: string[] = NOTICES.map(({ kind }) => kind);
  const pages = allAddresses().map((address) => address.path);
  const isThere = (keeper: Keeper) => {
    if ("page" in keeper) return pages.includes(keeper.page);
    if ("notice" in keeper) return kinds.includes(keeper.notice);
    if ("job" in keeper) return names.includes(keeper.job);
    const file = path.join(projectRoot, keeper.code[0]);
    return existsSync(file) && readFileSync(file, "utf8").includes(keeper.code[1]);
  };
  const keepers = Object.values({ ...TERMS, ...PRIVACY }).flat();
  expect(keepers.filter((keeper) => !isThere(keeper))).toEqual([]);
});
