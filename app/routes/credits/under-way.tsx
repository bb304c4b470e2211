import { Notice } from "#app/ui/notice.tsx";
import type { UnderWayView } from "./under-way.server.ts";

/** Payments that have no credits yet; they stay for days, so none interrupts. */
export function UnderWay({ payments }: { payments: UnderWayView[] }) {
  return payments.map(({ id, tone, title, text }) => (
    <Notice key={id} tone={tone} title={title} isUrgent={false} className="tabular-nums">
      <p className="wrap-anywhere">{text}</p>
    </Notice>
  ));
}
