import { AuthFile, type StoredLogin } from "../account/auth-file.ts";
import { authStorage } from "../account/auth-storage.ts";
import { openConfig } from "../config/open-config.ts";
import { errorMessage } from "../lib/error-message.ts";
import type { DoctorOptions } from "./doctor-options.ts";

/** A login, or why it cannot be read. */
export interface FoundLogin {
  readonly login: StoredLogin | null;
  readonly problem: string | null;
}

/** The login in the place that the configuration names: a file or the keyring. */
export function storedLogin(options: DoctorOptions): FoundLogin {
  const { home, env } = options;
  let problem: string | null = null;
  const warn = (what: string, error: unknown) => {
    problem = `${what}: ${errorMessage(error)}`;
  };
  const store = credentialStore(options);
  const login = new AuthFile(home, (path) => authStorage({ home, env, path, store, warn })).read();
  return { login, problem };
}

/** An unreadable configuration is a finding of its own. */
function credentialStore({ home, env, configOverrides, requirementsFile }: DoctorOptions): unknown {
  try {
    const opened = openConfig({ home, env, cliOverrides: configOverrides, requirementsFile });
    return opened.read({ cwd: home }).config.cli_auth_credentials_store;
  } catch {
    return undefined;
  }
}
