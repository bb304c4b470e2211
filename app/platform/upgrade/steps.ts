/** What a human has to do for a release: a line of its "Before you upgrade" in CHANGELOG.md. */
export interface Step {
  id: string;
  /** The date of its release. */
  release: string;
  /** Something is lost without it: until it is done, nothing is migrated. */
  isRequired: boolean;
  text: string;
}

const RELEASE = /^## (\d{4}-\d{2}-\d{2})$/;
const STEP = /^- \*\*([a-z][a-z-]+)\*\*( \(required\))?: (\S.*)$/;

/** Throws where the changelog has no release, or a line that is no step among the steps. */
export function readChangelog(text: string): { release: string; steps: Step[] } {
  const sections = text.split(/^(?=## )/m).filter((section) => section.startsWith("## "));
  const releases = sections.map(readRelease);
  if (!releases[0]) throw new Error("CHANGELOG.md has no release");
  return { release: releases[0].release, steps: releases.flatMap(({ steps }) => steps) };
}

function readRelease(section: string): { release: string; steps: Step[] } {
  const [heading = "", ...lines] = section.split("\n");
  const release = RELEASE.exec(heading)?.[1];
  if (!release) throw new Error(`CHANGELOG.md: “${heading}” is no release`);
  const begin = lines.indexOf("### Before you upgrade");
  const rest = begin === -1 ? [] : lines.slice(begin + 1);
  const end = rest.findIndex((line) => line.startsWith("#"));
  const listed = rest.slice(0, end === -1 ? undefined : end).filter(Boolean);
  return { release, steps: listed.map((line) => readStep(line, release)) };
}

function readStep(line: string, release: string): Step {
  const [, id, required, text] = STEP.exec(line) ?? [];
  if (!id || !text) throw new Error(`CHANGELOG.md, ${release}: “${line}” is no step`);
  return { id, release, isRequired: Boolean(required), text };
}
