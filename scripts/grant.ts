import { randomUUID } from "node:crypto";
import { findPlayerByAddress } from "#app/features/players/search-players.server.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { openJobs } from "#app/jobs.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { oneLine } from "#app/platform/text.ts";
import { command, say } from "./command.ts";

const [email = "", credits = "", ...reasonParts] = process.argv.slice(2);
const reason = oneLine(reasonParts.join(" "));

const ERRORS = {
  gone: "this account was deleted",
  "form-used": "this was booked already, for another player or amount",
  "too-few": "has fewer credits than that",
};

await command(async ({ db, pool }) => {
  if (!email || !/^-?\d{1,6}(\.\d{1,2})?$/.test(credits) || Number(credits) === 0 || !reason) {
    throw new Error(
      "Usage: npm run grant -- EMAIL CREDITS REASON   (CREDITS such as 20, 9.01 or -10)",
    );
  }
  const userId = await findPlayerByAddress(db, email);
  if (!userId) throw new Error(`No account has the address ${email}`);
  const amountCents = centsFromNumeric(credits);
  const correction = { userId, amountCents, reason, actor: "command", key: randomUUID() };
  const jobs = await openJobs(pool, "of no job with a token");
  const result = await correctBalance(db, jobs, correction).finally(() => jobs.stop());
  if (!result.ok) throw new Error(`${email}: ${ERRORS[result.reason]}`);
  say(`${email}: ${amountCents > 0 ? "+" : ""}${credits} credits`);
});
