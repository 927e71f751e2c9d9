import type { DoctorCheck } from "@quire/server/startup";
import { configFlags, configOverrides } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { showHelp } from "../show-help.ts";

const flags = {
  json: { type: "switch", help: "Print what was found as JSON." },
  summary: { type: "switch", help: "Print only what is wrong, and the counts." },
  offline: { type: "switch", help: "Do not ask the model's provider for a sign of life." },
  ...configFlags,
} as const satisfies Flags;

/** `quire doctor`. */
export const doctorSpec: CommandSpec<typeof flags> = {
  name: "quire doctor",
  summary: "Look for what could keep Quire from working",
  flags,
};

const marks = { ok: "✓", warning: "!", failed: "✗" } as const;

/** Prints what was found. Gives the exit code: 1 where something is broken. */
export async function doctor(args: readonly string[]): Promise<number> {
  const { flags: given, help } = parseArguments(doctorSpec, args);
  if (help) return showHelp(doctorSpec);
  const { runDoctor, resolveHome } = await import("@quire/server/startup");
  const { env } = process;
  const checks = await runDoctor({
    home: resolveHome(env),
    env,
    configOverrides: configOverrides(given),
    network: !given.offline,
  });
  process.stdout.write(given.json ? `${JSON.stringify({ checks }, null, 2)}\n` : report(checks, given.summary));
  return checks.some(({ status }) => status === "failed") ? 1 : 0;
}

function report(checks: readonly DoctorCheck[], short: boolean): string {
  const shown = short ? checks.filter(({ status }) => status !== "ok") : checks;
  const groups = [...new Set(shown.map(({ group }) => group))];
  const blocks = groups.map((group) => {
    const rows = shown.filter((check) => check.group === group).map(row);
    return `${group[0]?.toUpperCase()}${group.slice(1)}\n${rows.join("")}\n`;
  });
  const count = (status: DoctorCheck["status"]) => checks.filter((check) => check.status === status).length;
  return `${blocks.join("")}${count("ok")} ok, ${count("warning")} to look at, ${count("failed")} broken\n`;
}

function row({ name, status, message, remedy }: DoctorCheck): string {
  const advice = remedy === undefined ? "" : ` (${remedy})`;
  return `  ${marks[status]} ${name.padEnd(13)}${message}${advice}\n`;
}
