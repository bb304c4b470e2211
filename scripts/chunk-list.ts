import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Plugin, Rolldown } from "vite";
import { projectRoot } from "#app/platform/root.server.ts";

/** A bundled script file for browsers. */
export interface Chunk {
  /** Below build/client. */
  file: string;
  /** The module that the file was made from, such as a route. */
  facade: string | null;
  imports: string[];
  /** Styles that are loaded with it. */
  styles: string[];
  /** Each module that is in it, with its length before minifying. */
  modules: Record<string, number>;
}

// Outside the served folder.
const FILE = path.join(projectRoot, "build", "chunks.json");

/** Records which module is in which file, for a test. */
export function chunkList(): Plugin {
  return {
    name: "chunk-list",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    writeBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
      mkdirSync(path.dirname(FILE), { recursive: true });
      writeFileSync(FILE, JSON.stringify(chunks.map(describe), null, 1));
    },
  };
}

/** The files for browsers of the last build. */
export function readChunkList(): Chunk[] {
  return JSON.parse(readFileSync(FILE, "utf8")) as Chunk[];
}

function describe(chunk: Rolldown.OutputChunk): Chunk {
  const modules = Object.entries(chunk.modules).map(
    ([id, { renderedLength }]) => [shorten(id), renderedLength] as const,
  );
  return {
    file: chunk.fileName,
    facade: chunk.facadeModuleId && shorten(chunk.facadeModuleId),
    imports: chunk.imports,
    styles: [...(chunk.viteMetadata?.importedCss ?? [])],
    modules: Object.fromEntries(modules),
  };
}

/** Relative to the project, or to node_modules, which may be a symbolic link. */
function shorten(id: string): string {
  const packages = id.lastIndexOf("node_modules/");
  return packages < 0 ? id.replace(`${projectRoot}/`, "") : id.slice(packages);
}
