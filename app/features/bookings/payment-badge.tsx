import type { PaymentStatus } from "#app/platform/schema.ts";
import { Badge, type BadgeTone } from "#app/ui/badge.tsx";

export function PaymentBadge({ status }: { status: PaymentStatus }) {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}

const TONES: Record<PaymentStatus, BadgeTone> = {
  Paid: "green",
  Unpaid: "amber",
  Refunded: "sky",
  Cancelled: "red",
};
