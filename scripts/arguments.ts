import { parseArgs, type ParseArgsConfig } from "node:util";

/** What was typed. Nothing is ignored: what a command has no use for ends it before it begins. */
export function readOptions<const T extends ParseArgsConfig>(usage: string, config: T) {
  try {
    return parseArgs(config);
  } catch {
    return misused(usage);
  }
}

/** Reads the argument of a command that has one, and needs it. */
export function readArgument(usage: string): string {
  const { positionals } = readOptions(usage, { allowPositionals: true });
  const [argument, ...others] = positionals;
  return argument && others.length === 0 ? argument : misused(usage);
}

export function misused(usage: string): never {
  process.stderr.write(`Usage: ${usage}\n`);
  process.exit(1);
}
