import { type ComponentProps, useEffect, useRef } from "react";
import { EditConflict } from "../edit-conflict.tsx";

/** Brings what differs before the eyes of whoever has pressed a button far below it. */
export function ShownConflict({ differences }: ComponentProps<typeof EditConflict>) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [differences]);
  return (
    <div ref={box} tabIndex={-1} role="group" aria-label="Conflict" className="scroll-mt-20">
      <EditConflict differences={differences} />
    </div>
  );
}
