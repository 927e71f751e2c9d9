/**
 * Entry of a bundle. The launcher passes the source that it would have started, before the user's arguments. That source
 * is started after all if the bundle is not made of it as it is now, or does not have the command.
 */
import { dirname } from "node:path";
import { commandLine } from "./args/command-line.ts";
import { bunFlags } from "./bundle/bun-flags.ts";
import { madeOf } from "./bundle/made-of.ts";
import { isCurrent } from "./bundle/marks.ts";
import { rootFlags } from "./codex/shared-flags.ts";

const [, , source = "", ...args] = process.argv;

if (madeOf === undefined) throw new Error("This file is the entry of a bundle: run quire instead.");
// What is not current stays: a server that runs from it starts helpers by its path. The next one takes its place.
if (!isCurrent(madeOf, dirname(dirname(source))) || !hasCommand()) runSource(madeOf.bun);
process.argv.splice(1, 2, source);
await import("./main.ts");

/** True for what is worth starting quickly; each of the rest would be more to check at every start. */
function hasCommand(): boolean {
  const { name, args: own } = commandLine(args, rootFlags);
  if (name === "app-server") return commandLine(own).name?.startsWith("-") !== false;
  return name === "exec" || name === "e" || name === "run";
}

/** Node's, which its types do not know yet. */
type Execve = (file: string, argv: readonly string[], env: typeof process.env) => never;

/** Becomes the command as the launcher starts it from source. */
function runSource(bun: string): never {
  return (process as unknown as { readonly execve: Execve }).execve(
    bun,
    [bun, ...bunFlags, source, ...args],
    process.env,
  );
}
