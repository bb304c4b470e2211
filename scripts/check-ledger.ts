import { parseArgs } from "node:util";
import { checkBooks, totalsText } from "#app/features/bookings/check-books.server.ts";
import { command, QUIET, say } from "./command.ts";

await command(async ({ db }) => {
  const { quiet } = parseArgs({ options: QUIET }).values;
  const books = await checkBooks(db);
  for (const line of books.differences) say(line);
  if (books.differences.length > 0) return false;
  if (!quiet) say(`The books are right: ${totalsText(books)}`);
});
