import { readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import type { SandboxPolicy } from "@quire/protocol";
import { localTime } from "../lib/local-time.ts";
import type { TurnSettings } from "../record/turn-settings.ts";
import { isLocal, localEnvironment } from "../run/environments/local-environment.ts";
import { findShell } from "../run/process/shells.ts";
import { escaped, tagged } from "./message.ts";

/** The model's surroundings: folder, shell, date, access. The tags are those that models know from Codex. */
export function environmentContext(settings: TurnSettings, now: Date = new Date()): string {
  const roots = settings.runtimeWorkspaceRoots.length > 0 ? settings.runtimeWorkspaceRoots : [settings.cwd];
  const files = `  <filesystem><workspace_roots>${roots.map((root) => `<root>${escaped(root)}</root>`).join("")}</workspace_roots>${permissionProfile(settings)}</filesystem>`;
  const lines = [
    ...place(settings),
    `  <current_date>${localTime(now.getTime()).slice(0, 10)}</current_date>`,
    `  <timezone>${timeZone()}</timezone>`,
    ...(settings.environment === null ? [] : [files]),
  ];
  return tagged("environment_context", lines.join("\n"));
}

/** The place where commands run. The shell of another machine is not known before it is reached. */
function place({ environment, cwd }: TurnSettings): string[] {
  const folder = `<cwd>${escaped(cwd)}</cwd>`;
  if (isLocal({ environment })) return [`  ${folder}`, `  <shell>${basename(findShell())}</shell>`];
  const only = environment
    ? `<environment id="${escaped(environment).replaceAll('"', "&quot;")}">${folder}</environment>`
    : `<environment id="${localEnvironment}" status="unavailable" />`;
  return [`  <environments>${only}</environments>`];
}

function permissionProfile({ sandboxPolicy, cwd }: TurnSettings): string {
  switch (sandboxPolicy.type) {
    case "dangerFullAccess":
      return '<permission_profile type="disabled"><file_system type="unrestricted" /></permission_profile>';
    case "externalSandbox":
      return '<permission_profile type="external"><file_system type="unrestricted" /></permission_profile>';
    case "readOnly":
      return managed([entry("read", special(":root"))]);
    case "workspaceWrite":
      return managed(writableEntries(sandboxPolicy, cwd));
  }
}

function writableEntries(policy: Extract<SandboxPolicy, { type: "workspaceWrite" }>, cwd: string): string[] {
  const roots = [cwd, ...(policy.writableRoots ?? [])];
  return [
    entry("read", special(":root")),
    ...roots.map((root) => entry("write", path(root))),
    ...(policy.excludeSlashTmp ? [] : [entry("write", special(":slash_tmp"))]),
    ...(policy.excludeTmpdirEnvVar ? [] : [entry("write", special(":tmpdir"))]),
    ...roots.flatMap((root) => [".git", ".agents", ".codex"].map((name) => entry("read", path(join(root, name))))),
  ];
}

function managed(entries: readonly string[]): string {
  return `<permission_profile type="managed"><file_system type="restricted">${entries.join("")}</file_system></permission_profile>`;
}

const entry = (access: "read" | "write", what: string): string => `<entry access="${access}">${what}</entry>`;
const special = (name: string): string => `<special>${name}</special>`;
const path = (value: string): string => `<path>${escaped(value)}</path>`;

let zone: string | undefined;

/** The system's time zone. Its link is faster to read than asking the runtime, which loads its tables. */
function timeZone(): string {
  zone ??= process.env.TZ || linkedZone() || new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone;
}

function linkedZone(): string | undefined {
  try {
    return readlinkSync("/etc/localtime").split("/zoneinfo/")[1];
  } catch {
    return undefined;
  }
}
