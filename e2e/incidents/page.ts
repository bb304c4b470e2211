import { readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";

/** An incident of docs/runbook.md, with its commands as they stand there. */
export interface Incident {
  see: string[];
  /** Of each “Do”, the command of each step; a step that a person does has none. */
  steps: (string | undefined)[][];
  over: string[];
}

const page = readFileSync(path.join(projectRoot, "docs", "runbook.md"), "utf8");
const BLOCK = /^( *)```sh\n(.*?)^ *```$/gms;

export function readIncident(n: number): Incident {
  const [, text] = new RegExp(`^## ${n}\\. .*?\\n(.*?)(?=^## |$(?![^]))`, "ms").exec(page)!;
  const parts = text!.split(/^- (?=\*\*)/m).slice(1);
  const named = (name: string) => parts.filter((part) => part.startsWith(`**${name}`));
  return {
    see: named("See").flatMap(commandsIn),
    steps: named("Do").map((part) =>
      part
        .split(/^ {2}(?=\d+\. )/m)
        .slice(1)
        .map((step) => commandsIn(step)[0]),
    ),
    over: named("Over").flatMap(commandsIn),
  };
}

function commandsIn(text: string): string[] {
  return Array.from(text.matchAll(BLOCK), ([, , lines]) => lines!.trim().split(/\n\s*/)).flat();
}
