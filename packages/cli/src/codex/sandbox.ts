import { configFlags, configOverrides } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { programName } from "../args/program-name.ts";
import { UsageError } from "../args/usage-error.ts";
import { openLink } from "../exec/link.ts";
import { showHelp } from "../lib/show-help.ts";

const flags = {
  permissionProfile: {
    type: "text",
    short: "P",
    value: "NAME",
    help: "A permission profile, such as :read-only or :workspace, in place of config.toml's sandbox.",
  },
  fullAuto: { type: "switch", help: "The same as --permission-profile :workspace." },
  cd: { type: "text", short: "C", value: "DIR", fallback: "the current folder", help: "Where the command runs." },
  ...configFlags,
} as const satisfies Flags;

/** `sandbox`. */
export const sandboxSpec: CommandSpec<typeof flags> = {
  name: `${programName} sandbox`,
  summary: "Run a command as the model's commands run: confined",
  operands: "[--] COMMAND...",
  maxOperands: Number.POSITIVE_INFINITY,
  takesRest: true,
  flags,
  examples: [
    [`${programName} sandbox -P :workspace -- npm test`, "May write to this folder, and not use the network."],
  ],
  notes: "The exit code is that of the command.",
};

/** Runs a command in the sandbox. Returns its exit code. */
export async function sandbox(args: readonly string[]): Promise<number> {
  const { flags: given, operands, help } = parseArguments(sandboxSpec, args);
  if (help) return showHelp(sandboxSpec);
  // Older clients name the platform first.
  const command = /^(linux|macos|seatbelt|landlock)$/.test(operands[0] ?? "") ? operands.slice(1) : operands;
  if (command.length === 0) throw new UsageError(`a command is required: ${sandboxSpec.name} -- COMMAND`);
  await using link = await openLink({ overrides: configOverrides(given), clientName: "codex_cli", source: "cli" });
  const permissionProfile = given.permissionProfile ?? (given.fullAuto ? ":workspace" : undefined);
  link.follow(({ method, params }) => {
    if (method !== "command/exec/outputDelta") return;
    process[params.stream === "stderr" ? "stderr" : "stdout"].write(Buffer.from(params.deltaBase64, "base64"));
  });
  const { exitCode } = await link.connection.request("command/exec", {
    command: [...command],
    cwd: given.cd ?? process.cwd(),
    permissionProfile,
    processId: "sandbox",
    streamStdoutStderr: true,
    disableTimeout: true,
    disableOutputCap: true,
  });
  return exitCode;
}
