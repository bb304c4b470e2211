import { Notice } from "#app/ui/notice.tsx";
import type { Difference } from "./form-result.ts";

/**
 * Over a form that was filled in while somebody else saved the same thing: what they changed. The
 * form keeps what was written in it and now carries the newest version, so that saving it again
 * is a decision.
 */
export function EditConflict({ differences }: { differences: Difference[] }) {
  return (
    <Notice tone="warn">
      <div className="grid gap-3">
        <p>
          Somebody else changed this while you were editing. Nothing of yours is lost: look at what
          differs, then save again to keep your version.
        </p>
        <ul className="grid gap-2">
          {differences.map(({ label, theirs, yours }) => (
            <li key={label}>
              <strong>{label}</strong>
              <dl className="grid grid-cols-[auto_1fr] gap-x-3">
                <dt>Now</dt>
                <dd className="break-words whitespace-pre-line">{theirs || "empty"}</dd>
                <dt>Yours</dt>
                <dd className="break-words whitespace-pre-line">{yours || "empty"}</dd>
              </dl>
            </li>
          ))}
        </ul>
      </div>
    </Notice>
  );
}
