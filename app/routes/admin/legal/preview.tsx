import { useEffect, useRef } from "react";
import { Notice } from "#app/ui/notice.tsx";
import { LegalText } from "#app/features/legal/legal-text.tsx";

type LegalPreviewProps = { title: string; content: string; warning: string | null };

/** A text that is not stored yet, as the public page would draw it. It takes the focus. */
export function LegalPreview({ title, content, warning }: LegalPreviewProps) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section
      ref={box}
      aria-label="Preview"
      tabIndex={-1}
      className="grid scroll-mt-20 gap-4 rounded-card border border-edge bg-canvas p-4 md:p-6"
    >
      <Notice tone="info">This is how the page will look. It is not saved yet.</Notice>
      {warning && <Notice tone="warn">{warning}</Notice>}
      <div className="mx-auto grid w-full max-w-2xl gap-6">
        <LegalText title={title} content={content} heading="h3" />
      </div>
    </section>
  );
}
