import { resetTwoFactor } from "#app/features/accounts/two-factor.server.ts";
import { openJobs } from "#app/jobs.server.ts";
import { readArgument } from "./arguments.ts";
import { command, say } from "./command.ts";

const email = readArgument("npm run reset-two-factor -- EMAIL");

await command(async ({ db, pool }) => {
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
