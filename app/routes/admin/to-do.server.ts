import type { RouterContextProvider } from "react-router";
import {
  findUnfinishedGames,
  type UnfinishedGame,
  type UnfinishedGames,
} from "#app/features/roster/current-games.server.ts";
import {
  countPendingCash,
  countUnpaid,
  findPendingCash,
} from "#app/features/bookings/pending-cash.server.ts";
import { countFailedMails } from "#app/features/players/failed-mails.server.ts";
import { countOpenTickets } from "#app/features/support/inbox.server.ts";
import {
  countPendingWithdrawals,
  type PendingWithdrawals,
} from "#app/features/support/withdrawals.server.ts";
import { countUnmatchedEvents } from "#app/features/wallet/stripe/unmatched-events.server.ts";
import { dateAndTime, monthDay, shortWeekday, wallClock } from "#app/platform/clock.ts";
import { log } from "#app/platform/log.server.ts";
import { euros } from "#app/platform/money.ts";
import { cancellationState } from "#app/features/organise/rules.ts";
import { appContext } from "#app/routes/context.server.ts";
import { listUnfinishedCancellations } from "#app/features/organise/stored-cancellations.server.ts";

type Context = Readonly<RouterContextProvider>;

const MOST = 99;
const GAMES_SHOWN = 3;

/** What waits for an organiser, for the navigation and the page. Null if it cannot be counted. */
export const toDoOf = oncePerRequest((context) => loadToDo(context).catch(logUncounted));

/** Also for the list of games, which is below the navigation that counts it. */
export const openMoneyOf = oncePerRequest(async (context) => {
  const { db, now } = context.get(appContext);
  return { unpaid: await countUnpaid(db, now()), pendingCash: await countPendingCash(db) };
});

/** Drawn beside names of the navigation; null if nothing waits. */
interface ToDoMarks {
  toDo: { count: string; text: string } | null;
  openTickets: string | null;
}

/** A page at the pitch must not wait longer for a mark. */
const MARKS_MS = 2_000;

/** For layouts: no page fails, or waits, because of a mark. */
export const toDoMarks = oncePerRequest(loadMarks);

async function loadMarks(context: Context): Promise<ToDoMarks> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("too late")), MARKS_MS);
  try {
    const counted = await Promise.race([toDoOf(context), late.promise]).catch(logUncounted);
    if (!counted) return { toDo: null, openTickets: null };
    const { count, countText, openTickets } = counted;
    const toDo = count > 0 ? { count: countText, text: `${countText} to do` } : null;
    return { toDo, openTickets };
  } finally {
    clearTimeout(timer);
  }
}

function logUncounted(error: unknown): null {
  log.warn({ err: error }, "what is to do was not counted");
  return null;
}

function oncePerRequest<Result>(load: (context: Context) => Promise<Result>) {
  const loads = new WeakMap<Context, Promise<Result>>();
  return (context: Context): Promise<Result> => {
    const known = loads.get(context) ?? load(context);
    loads.set(context, known);
    return known;
  };
}

export type ToDo = Awaited<ReturnType<typeof loadToDo>>;

// One after the other: it runs before every admin page, so it takes one connection at a time.
async function loadToDo(context: Context) {
  const { db, now } = context.get(appContext);
  const instant = now();
  const unfinished = await findUnfinishedGames(db, { now: instant, limit: GAMES_SHOWN });
  const { pendingCash, ...money } = await openMoneyOf(context);
  const unpaid = money.unpaid.played;
  const onlyPending = pendingCash.games === 1 ? await findPendingCash(db) : null;
  const withdrawals = await countPendingWithdrawals(db, instant);
  const unmatched = await countUnmatchedEvents(db, MOST + 1);
  const tickets = await countOpenTickets(db, MOST + 1);
  const failed = await countFailedMails(db, MOST + 1);
  const cancellations = await listUnfinishedCancellations(db);
  const { withdrawal: _, ...messages } = tickets;
  const { report, review } = messages;
  const entries: Entry[] = [
    {
      count: cancellations.length,
      name: ["cancellation under way", "cancellations under way"],
      detail: cancellations.map((one) => cancellationState(one, instant)).join("; "),
      to: `/admin/games/cancellations/${cancellations[0]?.id}`,
    },
    {
      count: withdrawals.count,
      name: ["withdrawal to refund", "withdrawals to refund"],
      detail: withdrawals.next && dueBy(withdrawals.next),
      to: "/admin/inbox?kind=withdrawal",
    },
    {
      count: sumOf(messages),
      name: ["open message", "open messages"],
      detail: [report && `${report} reported`, review && named(review, ["review", "reviews"])]
        .filter(Boolean)
        .join(", "),
      to: "/admin/inbox",
    },
    {
      count: unmatched,
      name: ["payment without a player", "payments without a player"],
      to: "/admin/payments",
    },
    {
      count: unpaid.seats,
      name: ["unpaid seat", "unpaid seats"],
      detail: `in ${named(unpaid.games, ["played game", "played games"])}`,
      to: "/admin/games?when=past&pays=unpaid",
    },
    {
      count: pendingCash.payments,
      name: ["payment by hand to give back", "payments by hand to give back"],
      detail: `${euros(pendingCash.cents)} in ${named(pendingCash.games, ["game", "games"])}`,
      to: onlyPending
        ? `/admin/games/${onlyPending.gameId}#seat-${onlyPending.bookingId}`
        : "/admin/games?when=all&pays=cash-back",
    },
    {
      count: failed,
      name: ["email was not delivered", "emails were not delivered"],
      to: "/admin/inbox/mail",
    },
  ];
  const due = entries.filter(({ count }) => count > 0);
  const count = sumOf(due.map((entry) => entry.count)) + unfinished.count;
  return {
    count,
    countText: shown(count),
    openTickets: sumOf(tickets) > 0 ? shown(sumOf(tickets)) : null,
    games: unfinished.count > 0 ? toUnfinishedView(unfinished) : null,
    entries: due.map(({ count, name, detail, to }) => ({
      text: named(count, name),
      detail: detail || null,
      to,
    })),
  };
}

type Name = readonly [one: string, many: string];

interface Entry {
  count: number;
  name: Name;
  detail?: string | null;
  to: string;
}

const sumOf = (counts: Record<string, number> | number[]) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
const shown = (count: number) => (count > MOST ? `${MOST}+` : String(count));
const named = (count: number, [one, many]: Name) => `${shown(count)} ${count === 1 ? one : many}`;

function dueBy({ dueOn, daysLeft }: NonNullable<PendingWithdrawals["next"]>): string {
  const by = daysLeft < 0 ? "overdue since" : "due by";
  return `${by} ${shortWeekday(dueOn)}, ${monthDay(dueOn)}`;
}

function toUnfinishedView({ games, count, withoutMarks, withoutResult }: UnfinishedGames) {
  const links = [
    { count: withoutMarks, lacks: "attendance", text: `Without attendance: ${withoutMarks}` },
    { count: withoutResult, lacks: "result", text: `Without a result: ${withoutResult}` },
  ];
  return {
    text: `${named(count, ["game", "games"])} to complete`,
    list: games.map(toGameView),
    links: links
      .filter((link) => link.count > 0)
      .map(({ lacks, text }) => ({ text, to: `/admin/games?when=past&lacks=${lacks}` })),
  };
}

function toGameView({ id, title, venueName, startsAt, ...game }: UnfinishedGame) {
  const { players, unmarked, hasResult } = game;
  const lacks = [
    unmarked === players && "no attendance",
    unmarked > 0 && unmarked < players && `${unmarked} of ${players} not marked`,
    !hasResult && "no result",
  ];
  const text = lacks.filter(Boolean).join(", ");
  return {
    id,
    place: `${venueName}, ${title}`,
    when: dateAndTime(wallClock(startsAt)),
    lacks: text.charAt(0).toUpperCase() + text.slice(1),
  };
}
