import { rmSync } from "node:fs";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { surface } from "../schema/surface.ts";
import { showHelp } from "../show-help.ts";

const flags = {
  out: {
    type: "text",
    short: "o",
    value: "DIR",
    help: "Folder to write to; what it holds of an earlier run is replaced.",
  },
  experimental: { type: "switch", help: "Include methods and fields that may still change." },
} as const satisfies Flags;

const spec = (name: string, what: string): CommandSpec<typeof flags> => ({
  name: `quire app-server ${name}`,
  summary: `Write the protocol down as ${what}`,
  flags,
});

/** `quire app-server generate-ts`. Gives the exit code. */
export async function generateTs(args: readonly string[]): Promise<number> {
  const command = spec("generate-ts", "TypeScript");
  const given = read(command, args);
  if (given === undefined) return showHelp(command);
  const { writeTypescript } = await import("../schema/write-typescript.ts");
  writeTypescript(given.out, surface(given.experimental));
  return 0;
}

/** `quire app-server generate-json-schema`. Gives the exit code. */
export async function generateJsonSchema(args: readonly string[]): Promise<number> {
  const command = spec("generate-json-schema", "JSON Schema");
  const given = read(command, args);
  if (given === undefined) return showHelp(command);
  const { writeJsonSchema } = await import("../schema/write-json-schema.ts");
  writeJsonSchema(given.out, surface(given.experimental));
  return 0;
}

/** `undefined` where help was asked for. */
function read(
  command: CommandSpec<typeof flags>,
  args: readonly string[],
): { out: string; experimental: boolean } | undefined {
  const { flags: given, help } = parseArguments(command, args);
  if (help) return undefined;
  if (given.out === undefined) throw new UsageError("the following required arguments were not provided: --out <DIR>");
  for (const folder of ["v1", "v2"]) rmSync(`${given.out}/${folder}`, { recursive: true, force: true });
  return { out: given.out, experimental: given.experimental };
}
