import { join } from "node:path";
import type { ConfigWarningNotification } from "@quire/protocol";
import { RuleBook } from "../approval/rules/rule-book.ts";
import { readText } from "../config/config-files.ts";
import { wireWarning } from "../config/layer.ts";
import { readServers } from "../config/mcp-config.ts";
import type { OpenConfig } from "../config/open-config.ts";
import { unknownKeys } from "../config/strict.ts";
import { userConfig } from "../config/write-config.ts";
import { errorMessage } from "../lib/error-message.ts";
import type { Table } from "../lib/table.ts";

const credentialStores: readonly unknown[] = ["file", "keyring", "auto", "ephemeral"];

/** The problems of a folder's configuration, for users who have asked for nothing yet. */
export function configWarnings(config: OpenConfig, cwd: string): ConfigWarningNotification[] {
  let raw: Table;
  try {
    raw = config.resolve({ cwd }).raw;
  } catch (error) {
    const summary = "The configuration cannot be used: no thread can be started until it is corrected.";
    return [placed(summary, errorMessage(error))];
  }
  return [
    ...config.warnings({ cwd }).map(wireWarning),
    ...unenforced(config),
    ...ignored(config.home),
    ...unusable(raw),
    ...unreadRules(config.home),
  ];
}

/** An administrator should know about requirements that are not enforced. */
function unenforced(config: OpenConfig): ConfigWarningNotification[] {
  const { path, unenforced: keys = [] } = config.requirements() ?? {};
  if (keys.length === 0) return [];
  const named = keys.map((key) => `\`${key}\``).join(", ");
  return [{ summary: `${path}: not enforced by this server: ${named}.`, details: null }];
}

/** Unknown keys of the user's file. */
function ignored(home: string): ConfigWarningNotification[] {
  const { path, values } = userConfig(home);
  const keys = unknownKeys(values).map((key) => `\`${key.join(".")}\``);
  if (keys.length === 0) return [];
  return [{ summary: `${path}: unknown settings are ignored: ${keys.join(", ")}.`, details: null }];
}

function unusable(raw: Table): ConfigWarningNotification[] {
  const servers = readServers(raw).flatMap(({ name, enabled, transport }) =>
    enabled && transport.type === "invalid"
      ? [{ summary: `MCP server ${name} is left out.`, details: transport.problem }]
      : [],
  );
  const { cli_auth_credentials_store: store } = raw;
  if (store === undefined || credentialStores.includes(store)) return servers;
  const details = `cli_auth_credentials_store: expected one of ${credentialStores.join(", ")}, found ${JSON.stringify(store)}.`;
  return [...servers, { summary: "Logins are kept in a file.", details }];
}

function unreadRules(home: string): ConfigWarningNotification[] {
  const problems: string[] = [];
  new RuleBook(home, (problem) => problems.push(problem)).rules();
  const path = join(home, "rules");
  return problems.map((details) => ({ summary: "Rules for commands are not applied.", details, path }));
}

/** Adds the file and line with which the details may begin. */
function placed(summary: string, details: string): ConfigWarningNotification {
  const [, path, row] = /^(\/.+?):(\d+)(?::\d+)?: /.exec(details) ?? [];
  if (path === undefined) return { summary, details };
  const line = Number(row);
  return { summary, details, path, range: { start: { line, column: 1 }, end: { line, column: width(path, line) } } };
}

function width(path: string, line: number): number {
  try {
    return (readText(path).split("\n")[line - 1] ?? "").length + 1;
  } catch {
    return 1;
  }
}
