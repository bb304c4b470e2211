import type { ReactNode } from "react";
import { Form, Link, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { PasswordField } from "#app/ui/field.tsx";
import { type FormAnswer, fieldOf } from "./form-problem.tsx";

/** What goes, what stays, and what to do before. */
export function Consequences({ credits }: { credits: string | null }) {
  return (
    <ul className="grid list-disc gap-2 rounded-card bg-surface py-5 pr-5 pl-9 shadow-card">
      <li>Your bookings of games to come are cancelled by the usual rule.</li>
      {credits && (
        <li>
          Your <strong className="tabular-nums">{credits}</strong> lapse, and so do those that the
          cancelled bookings give back. You can{" "}
          <Link to="/settings/withdraw" className="link">
            withdraw from a purchase
          </Link>{" "}
          of the last 14 days before.
        </li>
      )}
      <li>
        Your name, picture, e-mail, phone number, date of birth, messages and reviews are deleted.
        Others then see “Deleted player”.
      </li>
      <li>
        The books must keep bookings and payments; they stay without your name. You can{" "}
        <a href="/settings/my-data.zip" download className="link">
          download your data
        </a>{" "}
        before.
      </li>
    </ul>
  );
}

/** Names what would be charged again, and leads to where it is ended. */
export function EndSubscription({ names }: { names: string[] }) {
  const isLeaving = useNavigation().formData?.get("intent") === "manage-subscription";
  return (
    <div className="grid gap-3">
      <p>
        You would go on paying for: <strong>{names.join(", ")}</strong>. End it at the payment
        provider, then come back here.
      </p>
      <Form method="post" action="/wallet">
        <input type="hidden" name="intent" value="manage-subscription" />
        <Button wide pending={isLeaving}>
          Manage subscription
        </Button>
      </Form>
    </div>
  );
}

interface DeleteFormProps {
  email: string;
  answer: FormAnswer | undefined;
  children: ReactNode;
}

/** Asks for the password, since a borrowed phone must not do this. */
export function DeleteForm({ email, answer, children }: DeleteFormProps) {
  const pending = useNavigation().formMethod === "POST";
  return (
    <Form method="post" noValidate className="grid gap-4">
      <input type="hidden" name="intent" value="delete-account" />
      <input hidden readOnly name="username" autoComplete="username" value={email} />
      <PasswordField
        {...fieldOf(answer, "password")}
        label="Your password"
        autoComplete="current-password"
        required
      />
      {children}
      <Button variant="danger" size="lg" wide pending={pending} pendingLabel="Deleting...">
        Delete my account
      </Button>
    </Form>
  );
}
