import { configFlags } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { showHelp } from "../lib/show-help.ts";

const flags = {
  out: { type: "text", short: "o", value: "DIR", help: "Output folder; created if missing." },
  experimental: { type: "switch", help: "Include the experimental API." },
  ...configFlags,
} as const satisfies Flags;

const tsFlags = {
  ...flags,
  prettier: { type: "text", short: "p", value: "PRETTIER_BIN", help: "Format the files with this Prettier." },
} as const satisfies Flags;

const tsSpec: CommandSpec<typeof tsFlags> = {
  name: "quire app-server generate-ts",
  summary: "Generate TypeScript types of the protocol",
  flags: tsFlags,
  examples: [["quire app-server generate-ts --out protocol", "One file for each type."]],
};

const schemaSpec: CommandSpec<typeof flags> = {
  name: "quire app-server generate-json-schema",
  summary: "Generate JSON Schemas of the protocol",
  flags,
  examples: [["quire app-server generate-json-schema --out schemas --experimental", "All of it."]],
};

/** `quire app-server generate-ts`. Returns the exit code. */
export async function generateTs(args: readonly string[]): Promise<number> {
  const { flags: given, help } = parseArguments(tsSpec, args);
  if (help) return showHelp(tsSpec);
  const out = required(given.out);
  const { writeTypescript } = await import("../schema/write-typescript.ts");
  written(out, () => writeTypescript(out, given.experimental));
  return given.prettier === undefined ? 0 : format(given.prettier, out);
}

/** `quire app-server generate-json-schema`. Returns the exit code. */
export async function generateJsonSchema(args: readonly string[]): Promise<number> {
  const { flags: given, help } = parseArguments(schemaSpec, args);
  if (help) return showHelp(schemaSpec);
  const out = required(given.out);
  const { writeJsonSchema } = await import("../schema/write-json-schema.ts");
  written(out, () => writeJsonSchema(out, given.experimental));
  return 0;
}

function required(out: string | undefined): string {
  if (out === undefined) throw new UsageError("the following required arguments were not provided: --out <DIR>");
  return out;
}

function written(out: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new Error(`cannot write to ${out}: ${(error as Error).message}; choose another --out`, { cause: error });
  }
}

async function format(prettier: string, out: string): Promise<number> {
  const but = `the files in ${out} were written, but not formatted`;
  if (Bun.which(prettier) === null) throw new Error(`${prettier} was not found; ${but}`);
  const run = Bun.spawn([prettier, "--write", "--log-level", "warn", `${out}/**/*.ts`], {
    stdout: "ignore",
    stderr: "inherit",
  });
  const code = await run.exited;
  if (code !== 0) throw new Error(`${prettier} exited with ${code}; ${but}`);
  return 0;
}
