import { randomUUID } from "node:crypto";
import { grantCredits } from "../app/features/wallet/grant-credits.server.ts";
import { centsFromNumeric } from "../app/platform/money.ts";
import { command, say } from "./command.ts";

const [email = "", credits = "", ...words] = process.argv.slice(2);
const reason = words.join(" ").trim();

await command(async ({ db }) => {
  if (!email || !/^-?\d{1,6}(\.\d{1,2})?$/.test(credits) || Number(credits) === 0 || !reason) {
    throw new Error(
      "Usage: npm run grant -- EMAIL CREDITS REASON   (CREDITS such as 20, 9.01 or -10)",
    );
  }
  const player = await db
    .selectFrom("profiles")
    .innerJoin("users", "users.id", "profiles.user_id")
    .select("user_id")
    .where("users.email", "=", email.trim().toLowerCase())
    .executeTakeFirst();
  if (!player) throw new Error(`No account has the address ${email}`);
  const amountCents = centsFromNumeric(credits);
  const grant = {
    userId: player.user_id,
    amountCents,
    reason,
    actor: "command",
    key: randomUUID(),
  };
  if (!(await grantCredits(db, grant))) throw new Error(`${email} has fewer credits than that`);
  say(`${email}: ${amountCents > 0 ? "+" : ""}${credits} credits`);
});
