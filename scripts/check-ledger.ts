import { checkBooks, totalsText } from "#app/features/bookings/check-books.server.ts";
import { command, say } from "./command.ts";

await command(async ({ db }) => {
  const books = await checkBooks(db);
  for (const line of books.differences) say(line);
  if (books.differences.length > 0) return false;
  say(`The books are right: ${totalsText(books)}`);
});
