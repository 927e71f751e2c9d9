import type { DoctorCheck } from "@quire/server/startup";
import { configFlags, configOverrides } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { jsonText } from "../lib/json-text.ts";
import { showHelp } from "../lib/show-help.ts";
import { terminalText } from "../lib/terminal-text.ts";

const flags = {
  json: { type: "switch", help: "Print the report as JSON, without keys or passwords." },
  summary: { type: "switch", help: "Print only problems and the counts." },
  offline: { type: "switch", help: "Do not contact the model provider." },
  networkOnly: { type: "switch", help: "Check only the configuration and the connection to the model provider." },
  ascii: { type: "switch", help: "Use ASCII marks." },
  noColor: { type: "switch", help: "Ignored; accepted for compatibility. The output has no colours." },
  all: { type: "switch", help: "Ignored; accepted for compatibility. Everything is always shown." },
  ...configFlags,
} as const satisfies Flags;

/** `quire doctor`. */
export const doctorSpec: CommandSpec<typeof flags> = {
  name: "quire doctor",
  summary: "Diagnose problems with your setup",
  flags,
  examples: [
    ["quire doctor", "Run all checks, with a fix for each problem."],
    ["quire doctor --summary --offline", "Show only problems, without network access."],
  ],
  notes: "It changes nothing. The exit code is 1 when something is broken.",
};

const marks = { ok: "✓", warning: "!", failed: "✗" } as const;
const letters = { ok: "[ok]", warning: "[!!]", failed: "[XX]" } as const;

/** Prints what was found. Returns the exit code: 1 where something is broken. */
export async function doctor(args: readonly string[]): Promise<number> {
  const { flags: given, help } = parseArguments(doctorSpec, args);
  if (help) return showHelp(doctorSpec);
  if (given.offline && given.networkOnly) throw new UsageError("--offline and --network-only cannot be combined");
  const [{ runDoctor, resolveHome }, { quireVersion }] = await Promise.all([
    import("@quire/server/startup"),
    import("@quire/server"),
  ]);
  const { env } = process;
  const checks = await runDoctor({
    home: resolveHome(env),
    env,
    configOverrides: configOverrides(given),
    network: given.offline ? "none" : given.networkOnly ? "only" : "also",
  });
  const overallStatus = worst(checks);
  if (given.json) {
    const generatedAt = new Date().toISOString();
    const whole = { schemaVersion: 1, generatedAt, overallStatus, quireVersion, checks };
    process.stdout.write(`${jsonText(whole, 2)}\n`);
  } else {
    process.stdout.write(report(checks, given));
  }
  return overallStatus === "failed" ? 1 : 0;
}

function worst(checks: readonly DoctorCheck[]): DoctorCheck["status"] {
  const has = (status: DoctorCheck["status"]) => checks.some((check) => check.status === status);
  return has("failed") ? "failed" : has("warning") ? "warning" : "ok";
}

function report(checks: readonly DoctorCheck[], { summary, ascii }: { summary: boolean; ascii: boolean }): string {
  const listed = withoutRepeats(summary ? checks.filter(({ status }) => status !== "ok") : checks);
  const groups = [...new Set(listed.map(({ group }) => group))];
  const blocks = groups.map((group) => {
    const rows = listed.filter((check) => check.group === group).map((check) => row(check, ascii ? letters : marks));
    return `${group[0]?.toUpperCase()}${group.slice(1)}\n${rows.join("")}\n`;
  });
  const count = (status: DoctorCheck["status"]) => checks.filter((check) => check.status === status).length;
  return `${blocks.join("")}${count("ok")} ok, ${count("warning")} warnings, ${count("failed")} broken\n`;
}

/** Drops repeated failures: a configuration that cannot be read fails every check that reads it. */
function withoutRepeats(checks: readonly DoctorCheck[]): readonly DoctorCheck[] {
  const said = new Map<string, string>();
  return checks.map((check) => {
    if (check.status !== "failed") return check;
    const first = said.get(check.message);
    if (first !== undefined) return { ...check, message: `the same as ${first}` };
    said.set(check.message, check.name);
    return check;
  });
}

function row({ name, status, message, remedy }: DoctorCheck, signs: typeof marks | typeof letters): string {
  const advice = remedy === undefined ? "" : `\n      ${remedy}`;
  return terminalText(`  ${signs[status]} ${name.padEnd(13)}${message}${advice}\n`, { prose: true });
}
