import type { ProviderConfig } from "../../config/effective-config.ts";
import type { TokenCommand } from "../../config/provider/token-command.ts";
import type { ServerContext } from "../../context/server-context.ts";
import { service } from "../../context/services.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { runProgram } from "../../run/process/run-program.ts";
import { Failure } from "../failure.ts";
import type { TokenAccess } from "./token-access.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The token printed by a program of the user's. Concurrent callers share one run. */
export class PrintedToken implements TokenAccess {
  readonly #provider: Pick<ProviderConfig, "id" | "name">;
  readonly #command: TokenCommand;
  readonly #env: Environment;
  #last: { readonly token: string; readonly atMs: number } | undefined;
  #running: Promise<string> | undefined;

  constructor(provider: Pick<ProviderConfig, "id" | "name">, command: TokenCommand, env: Environment) {
    this.#provider = provider;
    this.#command = command;
    this.#env = env;
  }

  async token(): Promise<string> {
    const { refreshIntervalMs } = this.#command;
    const last = this.#last;
    if (last && (refreshIntervalMs === 0 || performance.now() - last.atMs < refreshIntervalMs)) return last.token;
    return await this.#run();
  }

  async renew(refused: string): Promise<string> {
    // Another request may have had the same experience.
    if (this.#last && this.#last.token !== refused) return this.#last.token;
    return await this.#run();
  }

  #run(): Promise<string> {
    this.#running ??= this.#print().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #print(): Promise<string> {
    const { command: name, args, cwd, timeoutMs, refuse } = this.#command;
    try {
      const refusal = refuse?.();
      if (refusal !== undefined) throw new Error(refusal);
      const token = (await runProgram({ name, args, cwd, timeoutMs, env: this.#env, complaints: "throw" })).trim();
      if (!/^[\x21-\x7e]+$/.test(token))
        throw new Error(`\`${name}\` printed ${token === "" ? "nothing" : "no token"}`);
      this.#last = { token, atMs: performance.now() };
      return token;
    } catch (error) {
      const why = errorMessage(error);
      const { id, name: provider } = this.#provider;
      throw new Failure(`No token for "${provider}": ${why}. Check model_providers.${id}.auth.`, "other");
    }
  }
}

const printed = service((_: ServerContext) => new Map<string, PrintedToken>());

/** The token of a command, shared by all threads of a server. */
export function printedToken(server: ServerContext, { id, name }: ProviderConfig, command: TokenCommand): PrintedToken {
  const tokens = server.services.get(printed);
  const key = JSON.stringify([id, command]);
  const token = tokens.get(key) ?? new PrintedToken({ id, name }, command, server.env);
  tokens.set(key, token);
  return token;
}
