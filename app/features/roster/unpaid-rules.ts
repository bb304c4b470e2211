import type { Attendance, PaymentStatus } from "#app/platform/schema.ts";

interface UnpaidSeat {
  paymentStatus: PaymentStatus;
  attendance: Attendance | null;
  /** Not where an organiser has said otherwise, or the account is deleted. */
  isCollected: boolean;
}

/** Same rule as `isPaymentOpen` in the database: marks change in the organiser's browser first. */
export const isSeatPaymentOpen = ({ paymentStatus, attendance, isCollected }: UnpaidSeat) =>
  paymentStatus === "Unpaid" && isCollected && attendance !== "NoShow";
