import { type ReactNode, type RefObject, useEffect, useEffectEvent, useState } from "react";
import { useNavigate } from "react-router";
import { charactersLeft, MESSAGE_EMPTY, messageError } from "#app/features/chat/message-text.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { fieldProps } from "#app/forms/form-result.ts";
import { PostForm } from "#app/forms/post-form.tsx";
import { Button } from "#app/ui/button.tsx";
import { TextAreaField } from "#app/ui/field.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { ChatResult } from "./actions.server.ts";
import { sendByEnter } from "./send-by-enter.ts";
import type { Outbox } from "./use-outbox.ts";

interface ComposerProps {
  path: string;
  messageId: string;
  result: ChatResult | undefined;
  outbox: Outbox;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Shown beside earlier messages, with a link to the newest. */
  isOld: boolean;
  children?: ReactNode;
}

/** Characters are counted when so many are left. */
const COUNTED = 50;

interface Typed {
  error: string | null;
  left: number;
  /** Since the page was loaded or the last message sent. */
  isNew: boolean;
}

/** At the bottom, above the bar. With JavaScript it keeps the focus while messages are sent. */
export function Composer(props: ComposerProps) {
  const { path, messageId, result, outbox, field, isOld, children } = props;
  const [typed, setTyped] = useState<Typed | null>(null);
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const type = useEffectEvent(() => {
    const draft = outbox.readDraft();
    // Text typed before the script ran stays.
    if (!draft || field.current?.value !== "") return;
    fill(field.current, draft);
    setTyped({ error: null, left: charactersLeft(draft), isNew: true });
  });
  useEffect(() => type(), []);

  function send() {
    const text = field.current?.value ?? "";
    field.current?.focus();
    const error = messageError(text);
    // Send was pressed twice: the first press has emptied the field.
    if (error === MESSAGE_EMPTY && typed?.isNew === false) return;
    if (error) return setTyped({ error, left: charactersLeft(text), isNew: true });
    const problem = isOld ? outbox.add(text) : outbox.send(text);
    if (problem) return setTyped({ error: problem, left: charactersLeft(text), isNew: true });
    fill(field.current, "");
    outbox.writeDraft("");
    setTyped({ error: null, left: Infinity, isNew: false });
    if (isOld) void navigate(`${path}#latest`);
  }

  return (
    <div
      data-bar
      className="sticky bottom-0 z-20 -mx-4 mt-4 grid gap-3 border-t border-line bg-canvas px-4 pt-3 pb-safe short:static not-short:**:-scroll-mb-48"
    >
      {children}
      {!typed && <FormErrors result={result} />}
      <PostForm
        action={hydrated ? path : `${path}#latest`}
        noValidate
        data-keeps-sending="1"
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <input type="hidden" name="intent" value="send" />
        <input type="hidden" name="messageId" value={messageId} data-once="" />
        <TextAreaField
          {...fieldProps(result, "message")}
          ref={field}
          // The error is shown beside it.
          error={null}
          label={<span className="sr-only">Message</span>}
          placeholder="Write to everybody in the game"
          rows={1}
          dir="auto"
          enterKeyHint="send"
          autoComplete="off"
          required
          onKeyDown={sendByEnter}
          onInput={({ currentTarget: { value } }) => {
            outbox.writeDraft(value);
            setTyped({ error: null, left: charactersLeft(value), isNew: true });
          }}
          className="min-w-0 grow basis-0 gap-0 [&_textarea]:min-w-0 [&_textarea]:field-sizing-content [&_textarea]:max-h-40 [&_textarea]:resize-none"
        />
        <Button variant="primary" className="min-h-12 shrink-0">
          Send
        </Button>
        <Remarks typed={typed} />
      </PostForm>
    </div>
  );
}

function fill(field: HTMLTextAreaElement | null, text: string): void {
  if (field) field.value = text;
}

/** Below the field, in live regions that exist from the start. */
function Remarks({ typed }: { typed: Typed | null }) {
  const left = typed?.left ?? Infinity;
  return (
    <div className="flex basis-full flex-wrap justify-between gap-x-4 text-sm empty:hidden">
      {typed?.error && (
        <p role="alert" className="font-semibold text-danger">
          {typed.error}
        </p>
      )}
      <p aria-live="polite" className="ml-auto tabular-nums text-muted">
        {left <= COUNTED && (left < 0 ? `${-left} too many` : `${left} left`)}
      </p>
    </div>
  );
}
