import { Link } from "react-router";
import type { EntryWords } from "./entry-words.ts";

/** What an entry was for: its name, the note beside it, and the game. */
export function EntryPurpose({ entry: { name, note, game } }: { entry: EntryWords }) {
  return (
    <>
      <span className="font-semibold">{name}</span>
      {note && <span className="text-sm text-muted max-md:block"> {note}</span>}
      {game && (
        <Link to={`/events/${game.id}`} className="-my-3 block w-fit py-3 text-sm hover:underline">
          {game.title}, {game.date}
        </Link>
      )}
    </>
  );
}

/** With its sign; a gain is green besides. */
export function EntryAmount({ amount }: Pick<EntryWords, "amount">) {
  return (
    <span className={`font-semibold whitespace-nowrap ${amount.isGain ? "text-good" : ""}`}>
      <span aria-hidden>{amount.shown}</span>
      <span className="sr-only">{amount.spoken}</span>
    </span>
  );
}
