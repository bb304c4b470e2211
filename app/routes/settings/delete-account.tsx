import { Link, redirect } from "react-router";
import { openFiles } from "#app/platform/files.server.ts";
import { passwordInput } from "#app/features/accounts/input.ts";
import {
  deleteAccount,
  deletionFacts,
  isLive,
} from "#app/features/privacy/delete-account.server.ts";
import { listSeats } from "#app/features/bookings/cancel-booking.server.ts";
import { deleteTickets } from "#app/features/support/tickets.server.ts";
import { listPaymentsUnderWay, toCome } from "#app/features/wallet/pending-payments.server.ts";
import { listSubscriptions } from "#app/features/wallet/stripe/subscriptions.server.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { fieldProps } from "#app/forms/form-result.ts";
import { Shown } from "#app/forms/shown.tsx";
import { ShortForm } from "#app/forms/intent-form.tsx";
import { readShown, writeShown } from "#app/platform/as-shown.ts";
import { creditsCount, euros } from "#app/platform/money.ts";
import { attemptOf, tooMany } from "#app/routes/security/attempts.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { playerRow } from "#app/routes/player-row.server.ts";
import { PasswordField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Route } from "./+types/delete-account";
import { SettingsPage } from "./settings-page.tsx";
import { signOutHeaders } from "#app/routes/cookies.server.ts";

export { pageHeaders as headers } from "#app/routes/page-headers.ts";

export const meta = metaOf({ title: "Delete my account", path: "/settings/delete-account" });

export async function loader({ context }: Route.LoaderArgs) {
  const { db, ...app } = context.get(appContext);
  const { userId, email, balanceCents, debtCents } = context.get(viewerContext);
  const now = app.now();
  const subscriptions = (await listSubscriptions(db, userId)).filter(isLive);
  const seats = await listSeats(db, { playerId: userId, now });
  const payments = await listPaymentsUnderWay(db, { userId, now });
  return {
    email,
    shown: writeShown(deletionFacts({ wallet: { balanceCents, debtCents }, seats, payments })),
    payments: toCome(payments).map(({ amountCents }) => euros(amountCents)),
    bookings: seats.length,
    credits: balanceCents > 0 ? creditsCount(balanceCents) : null,
    debt: debtCents > 0 ? creditsCount(debtCents) : null,
    subscriptions: subscriptions.map(({ packName }) => packName ?? "Monthly plan"),
  };
}

export const action = formAction(
  playerRow({
    failed: "Failed to delete your account",
    isRepeatUnsafe: true,
    input: passwordInput,
    run: async ({ input, viewer: { userId, email, firstName }, fields, ...args }) => {
      const person = { userId, email, firstName, ...input, ...(await attemptOf(args, email)) };
      const parts = { ...args, dataDir: args.env.dataDir, files: openFiles(args.env) };
      const shown = readShown(fields.shown);
      return deleteAccount(parts, { ...person, shown, deleteTickets }, args.now());
    },
    errors: {
      "too-many": tooMany,
      gone: () => redirect("/"),
      "wrong-password": ["invalid", { fieldErrors: { password: "Wrong password" } }],
      "last-admin": "You are the last admin. Give somebody else the role first.",
      subscription: "You have a subscription that goes on. Please end it first.",
      changed: "Nothing was deleted: what you would lose has changed. Look at it again above.",
    },
    done: async (_, { env }) => ({
      to: "/",
      title: "Your account is deleted",
      description: "Thanks for playing.",
      isLasting: true,
      headers: await signOutHeaders(env),
    }),
  }),
);

export default function DeleteAccount({ loaderData, actionData }: Route.ComponentProps) {
  const { email, shown, credits, debt, payments, bookings, subscriptions } = loaderData;
  return (
    <SettingsPage title="Delete my account" lead="This cannot be undone.">
      <Consequences credits={credits} bookings={bookings} />
      {debt && (
        <Notice tone="warn" title={`You owe ${debt}.`}>
          What your cancelled bookings give back is taken off first. The rest stays with your email
          address: if you sign up again, your next purchase pays it first, then you can join games.
        </Notice>
      )}
      {payments.length > 0 && (
        <Notice tone="warn" title={`Payments on their way: ${payments.join(", ")}`}>
          Wait until their credits have arrived: once your account is deleted, nobody gets them.
        </Notice>
      )}
      {subscriptions.length > 0 ? (
        <Notice tone="warn" title="End your subscription first">
          <p className="mb-3">
            You'd still be charged for: <strong>{subscriptions.join(", ")}</strong>. Cancel the
            subscription first, then come back.
          </p>
          <ShortForm
            intent="manage-subscription"
            action="/wallet"
            variant="secondary"
            submit="Manage subscription"
          />
        </Notice>
      ) : (
        // Asks for the password, since an unlocked phone is not enough.
        <ShortForm
          intent="delete-account"
          username={email}
          result={actionData}
          variant="danger"
          submit="Delete my account"
          pendingLabel="Deleting..."
        >
          <Shown facts={shown} />
          <PasswordField {...fieldProps(actionData, "password")} label="Your password" />
        </ShortForm>
      )}
    </SettingsPage>
  );
}

function Consequences({ credits, bookings }: { credits: string | null; bookings: number }) {
  return (
    <ul className="grid list-disc gap-2 rounded-card bg-surface py-5 pr-5 pl-9 shadow-card">
      {bookings > 0 && (
        <li>
          {`Your ${bookings === 1 ? "upcoming booking" : `${bookings} upcoming bookings`} will be cancelled under the normal policy.`}
        </li>
      )}
      {credits && (
        <li>
          You'll lose your <strong className="tabular-nums">{credits}</strong> and any refunds from
          cancelled bookings. Bought in the last 14 days?{" "}
          <Link to="/settings/withdraw" className="link">
            Get your money back first
          </Link>
          .
        </li>
      )}
      <li>
        Your name, picture, email, phone number, date of birth, messages and reviews are deleted.
        Others then see “Deleted player”.
      </li>
      <li>
        We have to keep booking and payment records, but without your name. You can{" "}
        <a href="/settings/my-data.zip" download className="link">
          download your data
        </a>{" "}
        first.
      </li>
    </ul>
  );
}
