import type { TicketKind } from "#app/features/support/rules.ts";
import type { BadgeTone } from "#app/ui/badge.tsx";

export const KINDS: Record<TicketKind, { one: string; many: string; tone: BadgeTone }> = {
  message: { one: "Message", many: "Messages", tone: "sky" },
  report: { one: "Chat report", many: "Chat reports", tone: "red" },
  review: { one: "Review", many: "Reviews", tone: "neutral" },
  withdrawal: { one: "Withdrawal", many: "Withdrawals", tone: "amber" },
};
