import { ConfigFiles } from "../config/config-files.ts";
import type { EffectiveConfig } from "../config/effective-config.ts";
import { readServers } from "../config/mcp-config.ts";
import { openConfig } from "../config/open-config.ts";
import { readRequirements } from "../config/requirements.ts";
import { unknownKey } from "../config/strict.ts";
import { userConfig } from "../config/write-config.ts";
import type { DoctorOptions } from "./doctor-options.ts";
import { type Finding, ok, warning } from "./finding.ts";
import { storedLogin } from "./stored-login.ts";

/** The config of the current folder. As in a server, a login selects a real model. */
export function currentConfig(options: DoctorOptions): EffectiveConfig {
  const { home, env, configOverrides, requirementsFile } = options;
  const loggedIn = () => storedLogin(options).login !== null;
  const opened = openConfig({ home, env, cliOverrides: configOverrides, requirementsFile, loggedIn });
  return opened.resolve({ cwd: process.cwd() });
}

/** Checks that the configuration can be loaded, and summarises it. */
export function checkConfig(options: DoctorOptions): Finding {
  const { home, env, configOverrides, requirementsFile } = options;
  const { model, modelProvider, approvalPolicy, sandboxPolicy } = currentConfig(options);
  const policy = typeof approvalPolicy === "string" ? approvalPolicy : "granular";
  const message = `model ${model} of ${modelProvider}, approvals ${policy}, sandbox ${sandboxPolicy.type}`;
  const opened = openConfig({ home, env, cliOverrides: configOverrides, requirementsFile });
  const [first] = opened.warnings({ cwd: process.cwd() });
  if (first === undefined) return ok(message);
  const { summary, details } = first;
  return { status: "warning", message: `${message}. ${summary}`, ...(details !== null && { remedy: details }) };
}

/** Checks that every field of config.toml is known. */
export function checkFields({ home }: DoctorOptions): Finding {
  const key = unknownKey(userConfig(home).values);
  if (key === undefined) return ok("every field is known");
  return warning(`unknown field ${key.join(".")}`, "correct or remove it in config.toml");
}

/** Checks the administrator's requirements. */
export function checkRequirements({ requirementsFile }: DoctorOptions): Finding {
  const path = requirementsFile ?? "/etc/codex/requirements.toml";
  return ok(readRequirements(new ConfigFiles(), path) ? `set by ${path}` : "none");
}

/** Checks the configured MCP servers without starting them. */
export function checkMcp(options: DoctorOptions): Finding {
  const servers = readServers(currentConfig(options).raw).filter(({ enabled }) => enabled);
  if (servers.length === 0) return ok("no servers");
  const problems = servers.flatMap(({ name, transport }) => {
    if (transport.type === "invalid") return [`${name}: ${transport.problem}`];
    if (transport.type === "http") return URL.canParse(transport.url) ? [] : [`${name}: its url is none`];
    const PATH = transport.env.PATH ?? options.env.PATH ?? "";
    return Bun.which(transport.command, { PATH }) ? [] : [`${name}: ${transport.command} was not found`];
  });
  if (problems.length > 0) return warning(problems.join("; "), "correct [mcp_servers] in config.toml");
  return ok(servers.map(({ name }) => name).join(", "));
}
