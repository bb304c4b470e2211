import { checkBooks } from "#app/features/bookings/check-books.server.ts";
import { command, say } from "./command.ts";

await command(async ({ db }) => {
  const books = await checkBooks(db);
  for (const line of books.differences) say(line);
  if (books.differences.length > 0) return false;
  const { wallets, balanceEur, entries, games, seats } = books;
  say(
    `The books are right: ${wallets} wallets hold ${balanceEur} credits by ${entries} entries; ` +
      `${games} games have ${seats} seats taken`,
  );
});
