import { checkBooks, totalsText } from "#app/features/reports/check-books.server.ts";
import { readOptions } from "./arguments.ts";
import { command, QUIET, say } from "./command.ts";

const { quiet } = readOptions("npm run check:ledger -- [--quiet]", { options: QUIET }).values;

await command(async ({ db }) => {
  const books = await checkBooks(db);
  for (const line of books.differences) say(line);
  if (books.differences.length > 0) return false;
  if (!quiet) say(`The books are right: ${totalsText(books)}`);
});
