import { useState } from "react";
import { ButtonLink, buttonClass } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { AddPlayer } from "./add-player.tsx";
import { MessageDialog } from "./message-dialog.tsx";
import { ResultForm } from "./result-form.tsx";
import type { Sheet, RosterPlayer } from "./sheet.server.ts";
import type { Now, SheetRefusal } from "./sheet-answer.ts";
import { SheetRow } from "./sheet-row.tsx";

type SheetProps = { sheet: Sheet; refusal?: SheetRefusal | undefined };

const OWN_PLACE = ["add", "result", "message"];

/** A game's sheet: who is in, and all that is done with them at the pitch and after the game. */
export function GameSheet({ sheet: loaded, refusal }: SheetProps) {
  const [sheet, mark] = useMarked(loaded);
  const of = (intent: string) => (refusal?.intent === intent ? refusal : undefined);
  return (
    <div className="grid gap-8">
      <section aria-labelledby="sheet" className="grid gap-4">
        <header className="grid gap-1">
          <h3 id="sheet" className="text-lg">
            Players
          </h3>
          <p className="text-muted tabular-nums">{countWords(sheet)}</p>
        </header>
        {refusal?.problem && !OWN_PLACE.includes(refusal.intent) && (
          <Notice tone="danger">{refusal.problem}</Notice>
        )}
        <SheetDeeds sheet={sheet} refusal={of("message")} />
        {sheet.players.length === 0 && (
          <p className="text-muted">{sheet.isOn ? "Nobody is in yet." : "Nobody is in."}</p>
        )}
        {sheet.isOn && !sheet.canMark && sheet.players.length > 0 && (
          <p className="text-sm text-muted">Check-in opens an hour before kick-off.</p>
        )}
        <ul className="grid gap-3">
          {sheet.players.map((player) => (
            <SheetRow
              key={player.bookingId}
              sheet={sheet}
              player={player}
              onNow={(now) => mark(player.bookingId, now)}
            />
          ))}
        </ul>
        {sheet.isOn && <AddPlayer sheet={sheet} refusal={of("add")} />}
      </section>
      {sheet.canRecord && sheet.players.length > 0 && (
        <ResultForm key={sheet.result?.version ?? 0} sheet={sheet} refusal={of("result")} />
      )}
    </div>
  );
}

/** The sheet as it was read, with what was tapped since. */
function useMarked(loaded: Sheet) {
  const [taps, setTaps] = useState<{ of: Sheet; by: Record<string, Now> }>({ of: loaded, by: {} });
  const by = taps.of === loaded ? taps.by : {};
  const players = loaded.players.map((player) => ({ ...player, ...by[player.bookingId] }));
  const mark = (bookingId: string, now: Now) =>
    setTaps(({ of, by: before }) => {
      const known = of === loaded ? before : {};
      return { of: loaded, by: { ...known, [bookingId]: { ...known[bookingId], ...now } } };
    });
  return [{ ...loaded, players }, mark] as const;
}

function SheetDeeds({ sheet, refusal }: SheetProps) {
  if (sheet.players.length === 0) return null;
  const at = `/admin/games/${sheet.gameId}`;
  return (
    <div className="flex flex-wrap gap-3">
      <MessageDialog key={sheet.messageId} sheet={sheet} refusal={refusal} />
      <ButtonLink to={`${at}/print`}>Print</ButtonLink>
      <a href={`${at}/players.csv`} download className={buttonClass({})}>
        CSV
      </a>
    </div>
  );
}

function countWords({ players, spots, isOn }: Sheet): string {
  const count = (is: (player: RosterPlayer) => boolean) => players.filter(is).length;
  const here = count(({ attendance }) => attendance === "CheckedIn");
  const noShows = count(({ attendance }) => attendance === "NoShow");
  const unpaid = count(({ paymentStatus }) => paymentStatus === "Unpaid");
  const words = [`${players.length} in`];
  if (isOn) words.push(`${spots} spots left`);
  if (here > 0) words.push(`${here} checked in`);
  if (noShows > 0) words.push(`${noShows} no-show${noShows > 1 ? "s" : ""}`);
  if (unpaid > 0) words.push(`${unpaid} unpaid`);
  return words.join(" · ");
}
