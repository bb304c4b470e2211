import { Form, useNavigation } from "react-router";
import { MESSAGE_MAX, SUBJECT_MAX } from "#app/features/bookings/rules.ts";
import { Button } from "#app/ui/button.tsx";
import { DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { TextAreaField, TextField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Sheet } from "./sheet.server.ts";
import type { SheetRefusal } from "./sheet-answer.ts";

const DIALOG = "message-all";

/** Writes to everybody who is in, and says how many that are. */
export function MessageDialog({
  sheet,
  refusal,
}: {
  sheet: Sheet;
  refusal?: SheetRefusal | undefined;
}) {
  const isSending = useNavigation().formData?.get("intent") === "message";
  const players = sheet.players.length;
  const { errors = {}, values } = refusal ?? {};
  return (
    <>
      <DialogTrigger dialog={DIALOG}>Message all</DialogTrigger>
      <Dialog id={DIALOG} title="Message all" open={refusal}>
        <Form method="post" action={sheet.path} className="grid gap-4">
          <p>{players === 1 ? "1 player gets" : `${players} players get`} this as a mail.</p>
          {refusal?.problem && <Notice tone="danger">{refusal.problem}</Notice>}
          <ErrorSummary
            errors={(["subject", "message"] as const).flatMap((name) =>
              errors[name] ? [{ field: `message-${name}`, message: errors[name] }] : [],
            )}
            of={refusal}
          />
          <input type="hidden" name="intent" value="message" />
          <input type="hidden" name="messageId" value={sheet.messageId} />
          <TextField
            id="message-subject"
            name="subject"
            label="Subject"
            maxLength={SUBJECT_MAX}
            required
            defaultValue={values?.subject}
            error={errors.subject}
          />
          <TextAreaField
            id="message-message"
            name="message"
            label="Message"
            maxLength={MESSAGE_MAX}
            required
            defaultValue={values?.message}
            error={errors.message}
          />
          <Button variant="primary" pending={isSending} pendingLabel="Sending…">
            {players === 1 ? "Send to 1 player" : `Send to ${players} players`}
          </Button>
        </Form>
      </Dialog>
    </>
  );
}
