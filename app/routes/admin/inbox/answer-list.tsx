import type { LetterWords } from "./letter-words.ts";

/** What was answered, oldest first; nothing where nobody has. */
export function AnswerList({ answers }: Pick<LetterWords, "answers">) {
  if (answers.length === 0) return null;
  return (
    <section aria-labelledby="answers" className="grid gap-3">
      <h2 id="answers" className="text-lg">
        Answers
      </h2>
      <ol className="grid gap-3">
        {answers.map(({ id, text, by, when }) => (
          <li key={id} className="grid gap-2 rounded-card border border-line bg-raised p-4">
            <p className="[overflow-wrap:anywhere] whitespace-pre-line">{text}</p>
            <p className="text-sm text-muted tabular-nums">
              {by}, {when}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
