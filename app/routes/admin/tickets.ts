import { RATINGS, type TicketKind } from "#app/features/support/rules.ts";
import type { BadgeTone } from "#app/ui/badge.tsx";

export const KINDS: Record<TicketKind, { one: string; many: string; tone: BadgeTone }> = {
  message: { one: "Message", many: "Messages", tone: "sky" },
  report: { one: "Chat report", many: "Chat reports", tone: "red" },
  review: { one: "Review", many: "Reviews", tone: "neutral" },
  withdrawal: { one: "Withdrawal", many: "Withdrawals", tone: "amber" },
};

export interface StateBadge {
  name: string;
  tone: BadgeTone;
}

export const OPEN: StateBadge = { name: "Open", tone: "neutral" };
export const DONE: StateBadge = { name: "Done", tone: "green" };

export function titleOf({
  subject,
  rating,
}: {
  subject: string | null;
  rating: number | null;
}): string {
  if (rating === null) return subject ?? "";
  return `${rating} of ${RATINGS.length}: ${RATINGS[rating - 1]}`;
}
