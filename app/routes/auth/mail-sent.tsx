import { Form, Link, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { AddressCard } from "./address-card.tsx";
import { type Answer, REFUSED } from "./answer.ts";
import { AuthScreen } from "./auth-screen.tsx";

interface MailSentProps {
  answer: Answer;
  back: { to: string; label: string };
  /** The form that asks for the mail once more. */
  again: { to: string; intent?: string };
  /** Where another address can be typed. */
  other: string;
}

/**
 * In place of the form whose mail is on its way, or was asked for too often. The address stands as
 * it was typed, so that a slip is seen.
 */
export function MailSent({ answer, back, again, other }: MailSentProps) {
  const { notice, failure, values } = answer;
  return (
    <AuthScreen
      title={notice?.title ?? REFUSED[answer.form]}
      lead={notice?.description}
      back={back}
      isShort
    >
      {failure && <Notice tone="danger">{failure}</Notice>}
      <AddressCard email={values?.email ?? ""} />
      {notice && (
        <p className="text-muted">
          Nothing there after a few minutes? Look in your spam folder, and at the address above.
        </p>
      )}
      {notice && answer.form !== "forgot" && (
        <p className="text-muted">
          Further mails to one address come with growing pauses. Use the newest one.
        </p>
      )}
      <div className="grid justify-items-center gap-2">
        <SendAgain {...again} email={values?.email ?? ""} />
        <Link to={other} className="inline-flex min-h-11 items-center px-2 font-semibold link">
          Use another address
        </Link>
      </div>
    </AuthScreen>
  );
}

function SendAgain({ to, intent, email }: MailSentProps["again"] & { email: string }) {
  const pending = useNavigation().formData?.get("email") === email;
  return (
    <Form method="post" action={to} className="w-full">
      {intent && <input type="hidden" name="intent" value={intent} />}
      <input type="hidden" name="email" value={email} />
      <Button wide size="lg" pending={pending} pendingLabel="Sending...">
        Send again
      </Button>
    </Form>
  );
}
