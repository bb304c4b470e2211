import { resetTwoFactor } from "#app/features/accounts/two-factor.server.ts";
import { openJobs } from "#app/jobs.server.ts";
import { command, say } from "./command.ts";

const [email] = process.argv.slice(2);

await command(async ({ db, pool }) => {
  if (!email) throw new Error("Usage: npm run reset-two-factor -- EMAIL");
  const jobs = await openJobs(pool, "of no job with a token");
  try {
    const result = await resetTwoFactor({ db, jobs }, { email, actor: "command" });
    if (!result.ok && result.reason === "no-account") {
      throw new Error(`No account has the address ${email}`);
    }
    if (!result.ok) throw new Error(`${email} has no two-factor sign-in`);
    say(`${email} signs in with the password alone, and is signed out everywhere`);
  } finally {
    await jobs.stop();
  }
});
