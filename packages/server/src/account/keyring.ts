import { realpathSync } from "node:fs";
import { platform as thisPlatform } from "node:os";
import { helperEnvironment, helperFolder, ownProgram } from "../run/helpers/own-program.ts";
import { findProgram } from "../run/process/find-program.ts";
import { ownPath } from "../run/process/own-path.ts";

/** A secret in the system's keyring. */
export interface Keyring {
  /** `null` when there is none. */
  get(): string | null;
  set(secret: string): void;
  delete(): void;
}

/** The keyring cannot be reached, or refuses. */
class KeyringError extends Error {
  override readonly name = "KeyringError";

  constructor(reason: string) {
    super(
      `the keyring of this system cannot be used: ${reason}; unlock it, or set cli_auth_credentials_store = "file" in config.toml`,
    );
  }
}

/** Options of {@link openKeyring}. */
export interface KeyringOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
}

/** Codex's name, so that both can share one home. */
const service = "Codex Auth";
/** A locked keyring asks its user; this is how long it may take. */
const patienceMs = 15_000;

/** Opens the place of a home's login. Nothing is asked of the keyring yet. */
export function openKeyring({ home, env, platform = thisPlatform() }: KeyringOptions): Keyring {
  const user = `cli|${new Bun.CryptoHasher("sha256").update(canonical(home)).digest("hex").slice(0, 16)}`;
  return platform === "linux" ? secretService(user, env) : systemKeyring(user, env);
}

function canonical(home: string): string {
  try {
    return realpathSync(home);
  } catch {
    return home;
  }
}

/** Uses `secret-tool`: secrets go through its pipes, never through its arguments, which everybody can see. */
function secretService(user: string, env: KeyringOptions["env"]): Keyring {
  const name = ["service", service, "username", user];
  const call = (args: readonly string[], input = "") => {
    // Never a program in the folder that the server was started in: it receives the login.
    const program = findProgram("secret-tool", ownPath(env.PATH, process.cwd()), [process.cwd()]);
    if (program === undefined) throw new KeyringError("secret-tool was not found (it comes with libsecret)");
    return run([program, ...args], { input, env });
  };
  return {
    get() {
      const { code, out, problem } = call(["lookup", ...name]);
      if (code === 0) return out || null;
      // It prints nothing when there is nothing to find.
      if (problem === "") return null;
      throw new KeyringError(problem);
    },
    set(secret) {
      const more = ["target", "default", "application", "rust-keyring"];
      const { code, problem } = call(["store", "--label", service, ...name, ...more], secret);
      if (code !== 0) throw new KeyringError(problem || `secret-tool ended with ${code}`);
    },
    delete() {
      const { code, problem } = call(["clear", ...name]);
      if (code !== 0 && problem !== "") throw new KeyringError(problem);
    },
  };
}

/** Runs in a process of its own: within this one there is no way to wait for it. */
const script = `
const { action, service, name, value } = await Bun.stdin.json();
const place = { service, name };
if (action === "get") process.stdout.write((await Bun.secrets.get(place)) ?? "");
else if (action === "set") await Bun.secrets.set({ ...place, value });
else await Bun.secrets.delete(place);
`;

/** Uses Bun: the Keychain of macOS, the credential manager of Windows. */
function systemKeyring(name: string, env: KeyringOptions["env"]): Keyring {
  const call = (action: string, value?: string): string => {
    const input = JSON.stringify({ action, service, name, value });
    const { code, out, problem } = run(ownProgram(script), { input, env });
    if (code !== 0) throw new KeyringError(problem || `ended with ${code}`);
    return out;
  };
  return {
    get: () => call("get") || null,
    set: (secret) => void call("set", secret),
    delete: () => void call("delete"),
  };
}

interface Ran {
  readonly code: number | null;
  readonly out: string;
  /** The last line of stderr. */
  readonly problem: string;
}

function run(command: string[], { input, env }: { input: string; env: KeyringOptions["env"] }): Ran {
  const ran = Bun.spawnSync(command, {
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
    cwd: helperFolder,
    env: helperEnvironment(env),
    timeout: patienceMs,
  });
  const problem = ran.exitedDueToTimeout
    ? "it did not answer"
    : (ran.stderr.toString().trim().split("\n").at(-1) ?? "");
  return { code: ran.exitCode, out: ran.stdout.toString(), problem };
}
