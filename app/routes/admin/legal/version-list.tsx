import { Link } from "react-router";
import { Pager } from "#app/ui/pager.tsx";
import type { Editor } from "./editor.server.ts";
import { versionPath } from "./legal-words.ts";

/** The texts that were replaced, each leading to itself. */
export function VersionList({ editor: { type, versions, first, next } }: { editor: Editor }) {
  return (
    <section aria-labelledby="former-texts" className="mt-4 grid gap-3">
      <h3 id="former-texts" className="text-base">
        Former texts
      </h3>
      {versions.length === 0 && <p className="text-muted">This text has not been replaced yet.</p>}
      <ul className="divide-y divide-line">
        {versions.map(({ version, title, saved }) => (
          <li key={version}>
            <Link
              to={versionPath(type, version)}
              className="flex min-h-14 flex-col justify-center gap-x-6 py-2 hover:bg-sunken md:flex-row md:items-center md:justify-between md:px-2"
            >
              <span className="font-semibold wrap-anywhere underline underline-offset-4">
                Version {version}: {title}
              </span>
              <span className="text-sm text-muted tabular-nums">{saved}</span>
            </Link>
          </li>
        ))}
      </ul>
      <Pager label="Former texts" first={first} next={next} />
    </section>
  );
}
