import { creditsCount, creditsText, euros } from "#app/platform/money.ts";
import { defineNotice } from "#app/platform/notices.ts";

/** The one notice whose job carries an address: when it runs, no table holds it any more. */
interface DeletedJob {
  userId: string;
  email: string;
  firstName: string;
  /** Owed now; `givenBackCents` is what cancelled bookings have just paid of it. */
  debtCents: number;
  /** Absent in a job of an earlier version. */
  givenBackCents?: number;
  /** Paid by hand, and not given back yet; absent in a job of an earlier version. */
  cashDueCents?: number;
}

const accountDeleted = defineNotice({
  kind: "account-deleted",
  label: "Account deleted",
  facts: async (job: DeletedJob) => job,
  key: ({ userId }) => `account-deleted:${userId}`,
  email: ({ firstName, ...deleted }, site) => ({
    subject: `Your ${site.brandName} account is deleted`,
    title: "Your account is deleted",
    preview: "Your upcoming bookings are cancelled.",
    footer: `Was it not you? Write to ${site.contactEmail}.`,
    text: [
      `Hi ${firstName},`,
      "As you asked, your account is deleted. Your upcoming bookings are cancelled and any " +
        "credits you had left are gone. We keep booking and payment records, but without your name.",
      debtText(deleted),
      cashText(deleted, site.contactEmail),
      "Thanks for playing. You can sign up again with this address at any time.",
    ],
  }),
});

type DebtData = Pick<DeletedJob, "debtCents" | "givenBackCents" | "cashDueCents">;

function debtText({ debtCents, givenBackCents: paidCents = 0 }: DebtData): string | null {
  if (debtCents === 0 && paidCents === 0) return null;
  if (debtCents === 0) {
    return `You owed ${creditsCount(paidCents)}. What your cancelled bookings gave back has paid that.`;
  }
  const owes =
    paidCents === 0
      ? `You owe ${creditsCount(debtCents)}.`
      : `${creditsCount(debtCents + paidCents)}, less ${creditsText(paidCents)} given back: ` +
        `you still owe ${creditsCount(debtCents)}.`;
  return (
    `${owes} That stays with your email address: if you sign up again, your next purchase pays ` +
    "it first, then you can join games."
  );
}

const cashText = ({ cashDueCents = 0 }: DebtData, contactEmail: string) =>
  cashDueCents > 0 &&
  `You paid ${euros(cashDueCents)} by hand for games that you are no longer in. Whether it comes ` +
    `back is between you and the organiser: write to ${contactEmail}, and say which game it was, ` +
    "because your name is no longer with it.";

export const privacyNotices = [accountDeleted] as const;
