import { useLocation } from "react-router";
import { messageInput } from "#app/features/support/input.ts";
import { MESSAGE_MAX, SENT_TOO_OFTEN, SUBJECT_MAX } from "#app/features/support/rules.ts";
import { sendMessage } from "#app/features/support/tickets.server.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { KeepDrafts } from "#app/forms/keep-drafts.tsx";
import { FocusedBox } from "#app/forms/form-errors.tsx";
import { fieldProps } from "#app/forms/form-result.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import { ShortForm } from "#app/forms/intent-form.tsx";
import { viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { playerRow } from "#app/routes/player-row.server.ts";
import { TextAreaField, TextField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Route } from "./+types/contact-support";
import { SettingsPage } from "./settings-page.tsx";

const PATH = "/settings/contact-support";

export const meta = metaOf({ title: "Contact support", path: PATH });

export async function loader({ request, context }: Route.LoaderArgs) {
  const { email, userId } = context.get(viewerContext);
  return { userId, email, isSent: new URL(request.url).searchParams.has("sent") };
}

export const action = formAction(
  playerRow({
    failed: "Failed to send message",
    keep: ["subject", "message"],
    isRepeatUnsafe: true,
    input: messageInput,
    run: async ({ db, jobs, viewer: { userId }, input, now }) =>
      (await sendMessage(db, jobs, { ...input, userId }, now())) || rejected("too-often"),
    errors: { "too-often": ["too-many", SENT_TOO_OFTEN] },
    done: { to: `${PATH}?sent` },
  }),
);

export default function ContactSupport({ loaderData, actionData }: Route.ComponentProps) {
  const { userId, email, isSent } = loaderData;
  const { key } = useLocation();
  return (
    <SettingsPage title="Contact support" lead={`We'll reply to ${email}.`}>
      {isSent && !actionData && (
        <FocusedBox of={key}>
          <Notice tone="good" title="Message sent">
            Thanks for writing. We'll get back to you at {email}.
          </Notice>
        </FocusedBox>
      )}
      {/* Posted to the bare address, so that an error is not below "Message sent". */}
      <ShortForm
        // Another after each success, so that a second in a row empties the form too.
        key={isSent ? key : "open"}
        intent="contact-support"
        replace
        action={PATH}
        result={actionData}
        submit="Send message"
        pendingLabel="Sending..."
      >
        <TextField
          {...fieldProps(actionData, "subject")}
          label="Subject *"
          maxLength={SUBJECT_MAX}
          autoComplete="off"
          required
        />
        <TextAreaField
          {...fieldProps(actionData, "message")}
          label="Message *"
          rows={7}
          maxLength={MESSAGE_MAX}
          required
        />
      </ShortForm>
      <KeepDrafts accountId={userId} />
    </SettingsPage>
  );
}
