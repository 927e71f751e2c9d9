import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { ConfigFiles } from "../config/config-files.ts";
import { openConfig } from "../config/open-config.ts";
import { readRequirements } from "../config/requirements.ts";
import { unknownKey } from "../config/strict.ts";
import { userConfig } from "../config/write-config.ts";
import { findShell } from "../exec/shells.ts";
import { findBubblewrap } from "../sandbox/find-bubblewrap.ts";
import { quireVersion } from "../version.ts";

/** One thing that was looked at. */
export interface DoctorCheck {
  readonly group: "environment" | "configuration" | "account" | "connectivity";
  readonly name: string;
  readonly status: "ok" | "warning" | "failed";
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string | undefined;
}

/** Of whom the doctor asks. */
export interface DoctorOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly configOverrides?: Readonly<Record<string, unknown>> | undefined;
  /** Whether the model's provider is asked for a sign of life. Default true. */
  readonly network?: boolean | undefined;
  readonly requirementsFile?: string | undefined;
}

/** How long a provider may take. */
const networkMs = 5000;
/** Free space below this soon stops threads from being stored. */
const lowDiskBytes = 1 << 30;

type Finding = Omit<DoctorCheck, "group" | "name">;

/** Looks at the machine, the configuration and the way to the model. Changes nothing. */
export async function runDoctor(options: DoctorOptions): Promise<DoctorCheck[]> {
  const checks: DoctorCheck[] = [];
  const look = async (group: DoctorCheck["group"], name: string, work: () => Finding | Promise<Finding>) => {
    try {
      checks.push({ group, name, ...(await work()) });
    } catch (error) {
      checks.push({ group, name, status: "failed", message: error instanceof Error ? error.message : String(error) });
    }
  };
  await look("environment", "version", () =>
    ok(`quire ${quireVersion}, Bun ${Bun.version}, ${process.platform}-${process.arch}`),
  );
  await look("environment", "home", () => home(options.home));
  await look("environment", "disk", () => disk(options.home));
  await look("environment", "shell", () => ok(findShell()));
  await look("environment", "git", () => found("git", "Threads do without git information. Install git to have it."));
  await look("environment", "sandbox", () => sandbox(options.env));
  await look("configuration", "config", () => config(options));
  await look("configuration", "fields", () => fields(options.home));
  await look("configuration", "requirements", () => requirements(options));
  await look("account", "key", () => key(options));
  if (options.network !== false) await look("connectivity", "provider", () => provider(options));
  return checks;
}

const ok = (message: string): Finding => ({ status: "ok", message });

function home(path: string): Finding {
  if (!existsSync(path)) return ok(`${path} will be made`);
  accessSync(path, constants.R_OK | constants.W_OK);
  return ok(path);
}

function disk(path: string): Finding {
  const { bavail, bsize } = statfsSync(existsSync(path) ? path : "/");
  const free = bavail * bsize;
  const message = `${(free / 1024 ** 3).toFixed(1)} GiB free`;
  return free > lowDiskBytes ? ok(message) : { status: "warning", message, remedy: `make room for ${path}` };
}

function found(program: string, remedy: string): Finding {
  const path = Bun.which(program);
  return path ? ok(path) : { status: "warning", message: `${program} was not found`, remedy };
}

function sandbox(env: DoctorOptions["env"]): Finding {
  if (process.platform === "darwin") return found("sandbox-exec", "Commands cannot be confined.");
  try {
    return ok(findBubblewrap(env.PATH, []).path);
  } catch (error) {
    const remedy = 'install bubblewrap, or choose sandbox_mode = "danger-full-access" where that is safe';
    return { status: "warning", message: error instanceof Error ? error.message : String(error), remedy };
  }
}

function config({ home, env, configOverrides, requirementsFile }: DoctorOptions): Finding {
  const opened = openConfig({ home, env, cliOverrides: configOverrides, requirementsFile });
  const { model, modelProvider, approvalPolicy, sandboxPolicy } = opened.resolve({ cwd: process.cwd() });
  const policy = typeof approvalPolicy === "string" ? approvalPolicy : "granular";
  const message = `model ${model} of ${modelProvider}, approvals ${policy}, sandbox ${sandboxPolicy.type}`;
  const [warning] = opened.warnings({ cwd: process.cwd() });
  return warning === undefined ? ok(message) : { status: "warning", message: `${message}. ${warning}` };
}

function fields(home: string): Finding {
  const key = unknownKey(userConfig(home).values);
  if (key === undefined) return ok("every field is known");
  return {
    status: "warning",
    message: `unknown field ${key.join(".")}`,
    remedy: "correct or remove it in config.toml",
  };
}

function requirements({ requirementsFile }: DoctorOptions): Finding {
  const path = requirementsFile ?? "/etc/codex/requirements.toml";
  return ok(readRequirements(new ConfigFiles(), path) ? `set by ${path}` : "none");
}

function key({ home, env, configOverrides }: DoctorOptions): Finding {
  const { provider } = openConfig({ home, env, cliOverrides: configOverrides }).resolve({ cwd: process.cwd() });
  if (provider.baseUrl === null) return ok("the offline model needs none");
  if (provider.envKey === null) return ok(`${provider.name} asks for none by a variable`);
  if (env[provider.envKey]) return ok(`${provider.envKey} is set`);
  const remedy = provider.envKeyInstructions ?? `set ${provider.envKey}`;
  return { status: "warning", message: `${provider.envKey} is not set`, remedy };
}

/** Any answer will do: that a key is refused says that somebody is there. */
async function provider({ home, env, configOverrides }: DoctorOptions): Promise<Finding> {
  const { provider } = openConfig({ home, env, cliOverrides: configOverrides }).resolve({ cwd: process.cwd() });
  if (provider.baseUrl === null) return ok("the offline model is part of this program");
  try {
    const { status } = await fetch(provider.baseUrl, { method: "HEAD", signal: AbortSignal.timeout(networkMs) });
    return ok(`${provider.baseUrl} answers (${status})`);
  } catch (error) {
    const message = `${provider.baseUrl} cannot be reached: ${error instanceof Error ? error.message : String(error)}`;
    return { status: "failed", message, remedy: "check base_url, the network, and proxies" };
  }
}
