import { Link } from "react-router";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { KINDS, type LetterWords } from "./letter-words.ts";

/** Who wrote what, and when. */
export function LetterText({ letter }: { letter: LetterWords }) {
  const { kind, writer, title, text, when, state } = letter;
  return (
    <article
      aria-labelledby="letter"
      className="grid gap-4 rounded-card bg-surface p-4 shadow-card"
    >
      <p className="flex flex-wrap gap-2">
        <Badge tone={KINDS[kind].tone}>{KINDS[kind].one}</Badge>{" "}
        <Badge tone={state.tone}>{state.name}</Badge>
      </p>
      <h2 id="letter" className="text-lg [overflow-wrap:anywhere]">
        {title}
      </h2>
      <div className="flex items-center gap-3">
        <Avatar src={writer.picture} name={writer.name} />
        <div className="min-w-0">
          <Link
            to={`/admin/players/${writer.id}`}
            className="link inline-flex min-h-11 items-center font-semibold"
          >
            {writer.name}
          </Link>
          <p className="text-sm text-muted tabular-nums">{when}</p>
        </div>
      </div>
      {text && <p className="[overflow-wrap:anywhere] whitespace-pre-line">{text}</p>}
      {!text && <p className="text-muted">No comment.</p>}
    </article>
  );
}
