import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Form } from "react-router";
import { MESSAGE_EMPTY } from "#app/features/chat/rules.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { fieldProps } from "#app/forms/form-result.ts";
import { Button } from "#app/ui/button.tsx";
import { TextAreaField } from "#app/ui/field.tsx";
import type { ChatResult } from "./actions.server.ts";
import type { Outbox } from "./use-outbox.ts";

interface ComposerProps {
  path: string;
  messageId: string;
  /** Of a form that was sent without JavaScript. */
  result: ChatResult | undefined;
  /** Null beside earlier messages, from where a form leads to the newest. */
  outbox: Outbox | null;
  children?: ReactNode;
}

/** At the bottom, above the bar. With JavaScript it stays focused while messages are sent. */
export function Composer({ path, messageId, result: ofDocument, outbox, children }: ComposerProps) {
  const form = useRef<HTMLFormElement>(null);
  const [blank, setBlank] = useState<ChatResult>();
  const rejected = outbox?.rejected;
  const result = blank ?? rejected ?? ofDocument;
  useEffect(() => {
    const field = fieldOf(form.current);
    // What was typed meanwhile stays.
    if (rejected && field?.value === "") field.value = rejected.values?.["message"] ?? "";
  }, [rejected]);
  return (
    <div
      data-bar
      className="sticky bottom-[calc(4rem+env(safe-area-inset-bottom))] z-20 -mx-4 mt-4 grid gap-3 border-t border-line bg-canvas px-4 py-3 md:bottom-0 short:static not-short:**:-scroll-mb-48"
    >
      {children}
      <FormErrors result={result} />
      <Form
        ref={form}
        method="post"
        action={path}
        noValidate
        data-keeps-sending={outbox ? "1" : undefined}
        className="flex items-end gap-2"
        onSubmit={(event) => {
          if (!outbox) return;
          event.preventDefault();
          const field = fieldOf(form.current);
          const isBlank = !field?.value.trim();
          setBlank(isBlank ? { ...EMPTY } : undefined);
          if (!field || isBlank) return;
          outbox.send(field.value);
          field.value = "";
          field.focus();
        }}
      >
        <input type="hidden" name="intent" value="send" />
        <input type="hidden" name="messageId" value={messageId} />
        <TextAreaField
          {...fieldProps(result, "message")}
          // The box above says it.
          error={null}
          label={<span className="sr-only">Message</span>}
          placeholder="Write to everybody in the game"
          rows={1}
          dir="auto"
          enterKeyHint="send"
          autoComplete="off"
          required
          onKeyDown={sendByEnter}
          className="min-w-0 grow basis-0 gap-0 [&_textarea]:min-w-0 [&_textarea]:field-sizing-content [&_textarea]:max-h-40 [&_textarea]:resize-none"
        />
        <Button variant="primary" className="min-h-12 shrink-0">
          Send
        </Button>
      </Form>
    </div>
  );
}

const EMPTY: ChatResult = {
  form: "send",
  title: "Message not sent",
  fieldErrors: { message: MESSAGE_EMPTY },
};

const fieldOf = (form: HTMLFormElement | null) =>
  form?.elements.namedItem("message") as HTMLTextAreaElement | null;

/** Shift and Enter is a new line. Enter that ends a composition (Chinese, Japanese) sends nothing. */
function sendByEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  const { key, shiftKey, nativeEvent, currentTarget } = event;
  // Safari ends the composition first, and then tells of the key as 229.
  const isComposing = nativeEvent.isComposing || nativeEvent.keyCode === 229;
  if (key !== "Enter" || shiftKey || isComposing) return;
  event.preventDefault();
  currentTarget.form?.requestSubmit();
}
