import type { ReactNode, SyntheticEvent } from "react";
import { PostForm } from "#app/forms/post-form.tsx";
import { firstCharacters, OWN_FIRST_GAME } from "#app/features/chat/message-rules.ts";
import { nameOf } from "#app/features/chat/names.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { MessageView } from "#app/features/chat/message-view.server.ts";
import { type Choice, choicesOf, type Reader } from "./groups.ts";

type MenuProps = { message: MessageView; page: string; reader: Reader };

/** Needs two presses or more, and no script. */
export function MessageMenu({ message, page, reader }: MenuProps) {
  const hydrated = useHydrated();
  const choices = choicesOf(message, reader);
  const isReported = reader.reported.includes(message.id);
  const reported = isReported && <p className="shrink-0 px-2 text-sm text-muted">Reported</p>;
  if (!choices[0]) return reported;
  return (
    <>
      {reported}
      <details
        // A new key closes the menu once something was done.
        key={choices.map(({ intent }) => intent).join()}
        data-menu
        onToggle={showWhole}
        className="group relative shrink-0 open:flex open:items-center"
      >
        <summary
          aria-label={labelOf(message, reader)}
          className="grid size-11 list-none place-items-center rounded-pill text-muted hover:text-ink"
        >
          <span aria-hidden className="group-open:hidden">
            •••
          </span>
          <span aria-hidden className="hidden group-open:inline">
            ✕
          </span>
        </summary>
        <div className="grid max-w-40 gap-1">
          {choices.map((choice) => (
            <Ask key={choice.intent} choice={choice}>
              <PostForm action={page} preventScrollReset>
                <input type="hidden" name="intent" value={choice.intent} />
                <input type="hidden" name="messageId" value={message.id} />
                {choice.intent === "block" && hydrated && (
                  <input type="hidden" name="stay" value="1" />
                )}
                <Button className="w-full" variant={choice.asks ? "danger" : "secondary"}>
                  {choice.asks ? `Yes, ${choice.label.toLowerCase()}` : choice.label}
                </Button>
              </PostForm>
            </Ask>
          ))}
        </div>
      </details>
    </>
  );
}

/** What cannot be undone needs a third press. */
function Ask({ choice: { label, asks }, children }: { choice: Choice; children: ReactNode }) {
  if (!asks) return children;
  return (
    <details className="group/ask" onToggle={showWhole}>
      <summary className={buttonClass({ className: "w-full list-none" })}>
        <span className="group-open/ask:hidden">{label}</span>
        <span className="hidden group-open/ask:inline">{asks}</span>
      </summary>
      <div className="mt-1">{children}</div>
    </details>
  );
}

/** The last message's would open behind the form at the bottom. */
function showWhole({ currentTarget }: SyntheticEvent<HTMLDetailsElement>) {
  if (currentTarget.open) currentTarget.scrollIntoView({ block: "nearest" });
}

const FIRST_CHARACTERS = 30;

/** "Menu of Leo's message of 19:43: I am on the bus". */
function labelOf(message: MessageView, reader: Reader): string {
  const { subject, parts, time, authorId, kind } = message;
  const isOwn = authorId === reader.viewer.userId;
  const whose = isOwn ? "your" : `${nameOf(message, reader)}'s`;
  const said = subject || parts.map((part) => part.text).join("");
  const text = isOwn && kind === "FirstGame" ? OWN_FIRST_GAME : said;
  return `Menu of ${whose} message of ${time}: ${firstCharacters(text, FIRST_CHARACTERS)}`;
}
