import { ownValue } from "../lib/table.ts";
import { currentConfig } from "./config-checks.ts";
import type { DoctorOptions } from "./doctor-options.ts";
import { type Finding, failed, ok } from "./finding.ts";
import { storedLogin } from "./stored-login.ts";

/** Checks for a provider key where the server looks for one. Never shows it. */
export function checkKey(options: DoctorOptions): Finding {
  const { provider } = currentConfig(options);
  const { baseUrl, wire, bearerToken, envKey, envKeyInstructions, name, requiresOpenaiAuth, tokenCommand } = provider;
  if (baseUrl === null && wire === undefined) return ok("the offline model needs none");
  if (envKey !== null && ownValue(options.env, envKey)?.trim()) return ok(`${envKey} is set`);
  if (tokenCommand) return ok(`\`${tokenCommand.command}\` prints one`);
  if (bearerToken !== null) return ok("the configuration holds one");
  if (requiresOpenaiAuth) {
    const { login, problem } = storedLogin(options);
    if (login) return ok(login.mode === "apikey" ? "an API key is stored" : "logged in with ChatGPT");
    if (problem !== null) return failed(problem, "unlock the keyring, or log in again");
  }
  if (envKey !== null) return failed(`${envKey} is not set`, envKeyInstructions ?? `set ${envKey}`);
  return requiresOpenaiAuth
    ? failed(`nobody is logged in, which ${name} asks for`, "log in, by a client's account/login/start")
    : ok(`${name} names none`);
}
