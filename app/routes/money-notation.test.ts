import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { NOW } from "#test/fixtures.ts";
import { type MarkupScenario, markupScenario, useSite, VIEWERS } from "#test/markup-scenario.ts";
import { mailJobs } from "#test/notices.ts";
import { textOf } from "#test/screen.tsx";
import { aBuyer, reject, withdraw } from "#test/withdrawals.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import type { NoticeKind } from "#app/platform/notices.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import type { App } from "./context.server.ts";

/** Sentences of the specification, where the app has them, and as they are read. */
const QUOTED = [
  {
    sentence: "Single-game pack shown as 9,99 € per game. […] the first shows 8.50€ per game",
    source: ["routes/credits/plans.server.ts", "per game`"],
    shown: /\d+(,\d\d |\.\d\d)€ per game/g,
  },
  {
    sentence: "is refunded in full minus a €0.99 fee",
    source: ["features/seats/rules.ts", "minus a €${numericFromCents(feeCents)} fee"],
    shown: /minus a €\d+\.\d\d fee/g,
  },
  {
    sentence: "Reward: success '€10 has been added to your wallet!'",
    source: ["routes/profile/actions.server.ts", "has been added to your wallet!"],
    shown: /€\d+ has been added to your wallet!/g,
  },
] as const;

/** Amounts as everywhere, as text of a source, and what names or reads the unit alone. */
const OTHER_SOURCES = [
  ["features/roster/input.ts", "at most 999.99\\u00a0€"],
  ["features/wallet/input.ts", "at most 9,999.99\\u00a0€"],
  ["platform/fields.ts", ".replace("],
  ["platform/money.ts", "EURO ="],
  ["routes/admin/games/roster/cash-forms.tsx", "Amount in €"],
  ["routes/admin/players/purchases.tsx", "Amount in €"],
  ["routes/admin/games/plan/form.tsx", "Price shown in €"],
] as const;
const COMMENT = /^\s*(\/\*\*|\/\/|\*) /;
const UNITS = /(Amount|Price shown) in €/g;

test("the app's own texts write euros by the one helper", () => {
  const folder = path.join(projectRoot, "app");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => /\.(tsx?|txt)$/.test(file) && !/\.test\./.test(file));
  const lines = sources.flatMap((file) => {
    const text = readFileSync(path.join(folder, file), "utf8").split("\n");
    return text
      .filter((line) => /€|&euro;|\d euros?\b/.test(line) && !COMMENT.test(line))
      .map((line) => `${file}: ${line.trim()}`);
  });
  const known = [...QUOTED.map(({ source }) => source), ...OTHER_SOURCES];
  const isIn = (line: string, [file, words]: (typeof known)[number]) =>
    line.startsWith(`${file}:`) && line.includes(words);
  expect(known.filter((source) => !lines.some((line) => isIn(line, source)))).toEqual([]);
  expect(lines.filter((line) => !known.some((source) => isIn(line, source)))).toEqual([]);
});

const AMOUNT = /(?<![\d.,])\d{1,3}(,\d{3})*\.\d\d\u00a0€(?!\w)/g;

/** What is written of euros, but as the one helper does or as the specification is quoted. */
function otherNotations(text: string): string[] {
  const known = [AMOUNT, UNITS, ...QUOTED.map(({ shown }) => shown)];
  const rest = known.reduce((left, one) => left.replace(one, ""), text);
  return rest.match(/.{0,30}(€|&euro;|\bEUR\b|\d euros?\b).{0,30}/g) ?? [];
}

test.each([
  ["1,234.50\u00a0€ or 0.99\u00a0€", []],
  ["8.50€ per game, 9,99 € per game, minus a €0.99 fee", []],
  ["9.99 €", ["9.99 €"]],
  ["9,99\u00a0€", ["9,99\u00a0€"]],
  ["€10 is back", ["€10 is back"]],
  ["1 euro", ["1 euro"]],
  ["5.00 EUR", ["5.00 EUR"]],
  ["1234.50\u00a0€", ["1234.50\u00a0€"]],
])("of %j another notation is %j", (text, others) => {
  expect(otherNotations(text)).toEqual(others);
});

const database = useSite();
const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-money-"));
afterAll(() => rmSync(dataDir, { recursive: true }));
let app: App;
let scenario: MarkupScenario;
beforeAll(async () => {
  const plain = testApp(database, () => NOW);
  app = { ...plain, env: { ...plain.env, dataDir } };
  scenario = await markupScenario(app);
});

test.each(VIEWERS)("no page for a %s writes euros in another way", async (viewer) => {
  const found: string[] = [];
  let amounts = 0;
  for (const { page, html } of scenario.shown[viewer]) {
    const text = textOf(html.replaceAll(/<script.*?<\/script>/gs, ""));
    amounts += text.match(AMOUNT)?.length ?? 0;
    found.push(...otherNotations(text).map((words) => `${page}: ${words}`));
  }
  expect(found).toEqual([]);
  expect(amounts).toBeGreaterThan(0);
});

test("no email writes euros in another way", async () => {
  const stated = await withdraw(app, await aBuyer(app));
  await reject(app, stated!);
  const sent: Mail[] = [];
  const send = mailJobs({ ...app, mailer: async (mail: Mail) => void sent.push(mail) });
  const { rows } = await database.pool.query<{ data: { kind: NoticeKind } }>(
    "select data from pgboss.job where name = 'mail.send'",
  );
  for (const { data } of rows) await send[data.kind](data as never);
  const texts = sent.flatMap(({ subject, text, html }) => [subject, text, textOf(html ?? "")]);
  expect(texts.flatMap(otherNotations)).toEqual([]);
  expect(texts.join().match(AMOUNT)?.length).toBeGreaterThan(0);
});
