import { makeAdmin } from "#app/features/accounts/account-status.server.ts";
import { readArgument } from "./arguments.ts";
import { command, say } from "./command.ts";

const email = readArgument("npm run make-admin -- EMAIL");

await command(async ({ db }) => {
  const result = await makeAdmin(db, email, "command");
  if (!result.ok && result.reason === "suspended") {
    throw new Error(`${email} is suspended: end the suspension in admin first`);
  }
  if (!result.ok && result.reason === "unconfirmed") {
    throw new Error(
      `${email} has signed up, but the address is not confirmed: open the link in the email first`,
    );
  }
  if (!result.ok) throw new Error(`No account has the address ${email}`);
  say(`${email} is an admin`);
});
