import { Form, redirect, useNavigation } from "react-router";
import { checkForm } from "#app/features/accounts/input.ts";
import { messageInput } from "#app/features/support/input.ts";
import { MESSAGE_MAX, SUBJECT_MAX } from "#app/features/support/rules.ts";
import { sendMessage } from "#app/features/support/tickets.server.ts";
import { Button } from "#app/ui/button.tsx";
import { TextAreaField, TextField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { echoOf, formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/contact-support";
import { broke, enoughForNow, refuse } from "./answers.server.ts";
import { FormProblem, fieldOf } from "./form-problem.tsx";
import { SettingsPage } from "./settings-page.tsx";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), {
    title: "Contact support",
    path: "/settings/contact-support",
  });

export async function loader({ request, context }: Route.LoaderArgs) {
  const { email } = context.get(viewerContext);
  return { email, isSent: new URL(request.url).searchParams.has("sent") };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, jobs, env, now } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  const fields = await formFields(request);
  const values = echoOf(fields, ["subject", "message"]);
  const checked = checkForm(messageInput, fields);
  if (!checked.ok) return refuse({ errors: checked.errors, values }, 422);
  try {
    const isSent = await sendMessage(db, jobs, { ...checked.input, userId }, now());
    if (!isSent) return enoughForNow(values);
  } catch (error) {
    return broke(error, "Failed to send message. Please try again.", values);
  }
  const headers = { "Set-Cookie": await toastCookie(env, { title: "Message sent" }) };
  return redirect("/settings/contact-support?sent", { headers });
}

export default function ContactSupport({ loaderData, actionData }: Route.ComponentProps) {
  const { email, isSent } = loaderData;
  const pending = useNavigation().formMethod === "POST";
  return (
    <SettingsPage title="Contact support" lead={`We answer by mail to ${email}.`}>
      {isSent && !actionData && (
        <Notice tone="good" title="Message sent">
          Thanks for writing. We'll get back to you at {email}.
        </Notice>
      )}
      {/* Posted to the bare address, so that a refusal is not below "Message sent". */}
      <Form
        key={isSent ? "sent" : "open"}
        method="post"
        replace
        action="/settings/contact-support"
        noValidate
        className="grid gap-4"
      >
        <input type="hidden" name="intent" value="contact-support" />
        <TextField
          {...fieldOf(actionData, "subject")}
          label="Subject *"
          maxLength={SUBJECT_MAX}
          autoComplete="off"
          required
        />
        <TextAreaField
          {...fieldOf(actionData, "message")}
          label="Message *"
          rows={7}
          maxLength={MESSAGE_MAX}
          required
        />
        <FormProblem answer={actionData} />
        <Button variant="primary" size="lg" wide pending={pending} pendingLabel="Sending...">
          Send message
        </Button>
      </Form>
    </SettingsPage>
  );
}
