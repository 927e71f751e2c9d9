import type { ThreadBackgroundTerminal } from "@quire/protocol";
import { actionItem, type CommandAction } from "../../approval/action.ts";
import type { CommandPlan } from "../../approval/approve-command.ts";
import type { Limits } from "../../approval/grants.ts";
import { NetworkGate } from "../../approval/network.ts";
import { networkSettings } from "../../approval/network-settings.ts";
import { type ToolContext, ToolFailure } from "../../approval/tool-context.ts";
import type { TurnSettings } from "../../record/turn-settings.ts";
import { isLocal } from "../../run/environments/local-environment.ts";
import type { RemoteEnvironment } from "../../run/environments/remote-environment.ts";
import type { CommandProcess } from "../../run/process/command-process.ts";
import { agentVariables, commandVariables, environmentPolicy } from "../../run/process/command-variables.ts";
import { direct, type Launcher } from "../../run/process/launcher.ts";
import { killOwned, startOwned } from "../../run/process/process-table.ts";
import type { RunningProcess, StartOptions } from "../../run/process/running-process.ts";
import { findShell } from "../../run/process/shells.ts";
import { proxyVariables } from "../../run/sandbox/network/bridge.ts";
import { NetworkProxy } from "../../run/sandbox/network/proxy.ts";
import { SandboxUnavailable } from "../../run/sandbox/unavailable.ts";
import { PinnedFolders } from "../../workspace-files/pinned-folders.ts";
import { ExecSession } from "./exec-session.ts";

/** Commands of one thread that run, or have unread results. Beyond this, the least recently used is ended. */
const maxSessions = 64;

/** The settings of a thread's commands. */
export interface ExecSettings {
  readonly threadId: string;
  /** For `shell_environment_policy`. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables with keys of model providers. */
  readonly secretVariables: () => readonly string[];
  /** Confines commands. Default: not at all. */
  readonly launcher?: Launcher | undefined;
  /** Looks up an environment other than this machine. */
  readonly elsewhere?: ((id: string) => RemoteEnvironment | undefined) | undefined;
}

interface SpawnOptions {
  readonly onOutput: StartOptions["onOutput"];
  readonly proxy?: string | undefined;
}

/** True when hosts are filtered for these limits: full access reaches everything. */
function isProxied({ policy }: Limits): boolean {
  return (policy.type === "readOnly" || policy.type === "workspaceWrite") && policy.networkAccess === true;
}

/** The commands of one thread, running or with unread results. `close` ends them all. */
export class ExecSessions {
  readonly #settings: ExecSettings;
  readonly #sessions = new Map<number, ExecSession>();
  /** Set once a sandbox was found; until then each command looks again. */
  #hasSandbox = false;

  constructor(settings: ExecSettings) {
    this.#settings = settings;
  }

  /** Starts a command and its item. On failure completes the item as failed and throws. */
  start({ action, announced, retry }: CommandPlan, context: ToolContext): ExecSession {
    this.#makeRoom();
    const id = this.#freeId();
    const item: ReturnType<typeof actionItem> = {
      ...actionItem(action),
      processId: String(id),
      source: "unifiedExecStartup",
      ...(announced && { startedAtMs: announced.startedAtMs }),
    };
    try {
      const network = networkSettings(this.#settings.raw);
      const gate = network.enabled ? new NetworkGate(network, context) : undefined;
      const start = (each: CommandAction) => (onOutput: StartOptions["onOutput"]) =>
        each.place !== null
          ? this.#startElsewhere(each, { onOutput })
          : gate && isProxied(each.limits)
            ? this.#spawnProxied(each, { onOutput, gate, home: context.approvals.options.home })
            : this.#spawn(each, { onOutput });
      const session: ExecSession = new ExecSession(id, {
        item,
        context,
        action,
        isAnnounced: announced !== undefined,
        start: start(action),
        retry: async (exitCode, output) => {
          const again = await retry?.(exitCode, output);
          if (again) session.action = again;
          return again && start(again);
        },
        deciding: () => gate?.deciding(),
      });
      this.#sessions.set(id, session);
      return session;
    } catch (error) {
      const reason = explainSpawn(error, action);
      if (error instanceof SandboxUnavailable) notifyUser(context, reason);
      if (announced === undefined) context.startItem({ ...item, processId: null });
      context.completeItem({
        ...item,
        processId: null,
        aggregatedOutput: reason,
        exitCode: -1,
        durationMs: 0,
        status: "failed",
      });
      throw new ToolFailure(`exec_command failed: ${reason}`);
    }
  }

  async shell(settings: TurnSettings, wanted: string | undefined): Promise<string> {
    if (isLocal(settings)) return findShell(wanted);
    return wanted ?? (await this.#elsewhere(settings.environment).info()).shell.path;
  }

  /** The variables of a command, except those that differ from call to call. Unknown for remote environments. */
  variables(settings: TurnSettings): Readonly<Record<string, string>> {
    if (!isLocal(settings)) return {};
    const { raw, env, secretVariables } = this.#settings;
    return commandVariables(environmentPolicy(raw), env, secretVariables());
  }

  #elsewhere(id: string | null | undefined): RemoteEnvironment {
    if (!id) throw new ToolFailure("this thread has no environment: there is nowhere to run a command");
    const place = this.#settings.elsewhere?.(id);
    if (place) return place;
    throw new ToolFailure(`the environment \`${id}\` is no longer known: add it again (environment/add)`);
  }

  /** Commands there cannot be confined from here, so those that would have to be do not run. */
  #startElsewhere(action: CommandAction, { onOutput }: SpawnOptions): CommandProcess {
    const { argv, env, place: id } = action;
    const place = this.#elsewhere(id);
    const { type } = action.limits.policy;
    if (type !== "dangerFullAccess" && type !== "externalSandbox")
      throw new SandboxUnavailable(`commands in the environment \`${id}\` cannot be confined: use danger-full-access`);
    const variables = { ...env, ...agentVariables(this.#settings.threadId, action.callId) };
    const tty = action.tty ? { cols: 80, rows: 24 } : undefined;
    return place.start({ argv, cwd: action.folder, env: variables, tty, onOutput });
  }

  /** True when commands of these limits can be confined. */
  readonly confinable = (limits: Limits): boolean => {
    const { type } = limits.policy;
    if (this.#hasSandbox || type === "dangerFullAccess" || type === "externalSandbox") return true;
    const { launcher = direct } = this.#settings;
    try {
      launcher({ argv: ["true"], cwd: "/", env: {} }, { ...limits, tty: false });
      this.#hasSandbox = true;
    } catch (error) {
      // Whatever else is wrong shows when the command is started.
      if (error instanceof SandboxUnavailable) return false;
    }
    return true;
  };

  /** The session, unless the model knows of its end already. */
  get(id: number): ExecSession | undefined {
    return this.#sessions.get(id);
  }

  forget(session: ExecSession): void {
    this.#sessions.delete(session.id);
  }

  /** Background commands: no starting call waits for them. */
  list(): ThreadBackgroundTerminal[] {
    return this.#background().map((session) => ({
      itemId: session.itemId,
      processId: String(session.id),
      command: session.action.script,
      cwd: session.cwd,
      osPid: session.process.pid,
      cpuPercent: null,
      rssKb: null,
    }));
  }

  /** False for an unknown id. */
  async terminate(processId: string): Promise<boolean> {
    const session = this.#background().find(({ id }) => String(id) === processId);
    await session?.kill();
    return session !== undefined;
  }

  async clean(): Promise<void> {
    await Promise.all(this.#background().map((session) => session.kill()));
  }

  /** Ends everything with all descendants. Items are completed before it settles. */
  async close(): Promise<void> {
    const running = [...this.#sessions.values()].filter(({ status }) => status === undefined);
    this.#sessions.clear();
    await killOwned(this.#settings.threadId);
    await Promise.all(running.map(({ process }) => (process.pid === null ? process.kill() : undefined)));
    await Promise.allSettled(running.map(({ ended }) => ended));
  }

  #background(): ExecSession[] {
    return [...this.#sessions.values()].filter(({ attended, status }) => !attended && status === undefined);
  }

  /** Starts a command whose only way to the network is a proxy, which ends with it. */
  #spawnProxied(
    action: CommandAction,
    { home, gate, ...options }: SpawnOptions & { readonly home: string; readonly gate: NetworkGate },
  ): RunningProcess {
    const proxy = new NetworkProxy(home, (passage) => gate.decide(passage));
    try {
      const process = this.#spawn(action, { ...options, proxy: proxy.socket });
      void process.exited.then(() => proxy.close());
      return process;
    } catch (error) {
      proxy.close();
      throw error;
    }
  }

  #spawn(action: CommandAction, { onOutput, proxy }: SpawnOptions): RunningProcess {
    const { threadId, launcher = direct } = this.#settings;
    const { callId, folder, isReleased, launch, limits, tty } = action;
    const env = {
      ...launch.env,
      ...agentVariables(threadId, callId),
      ...(proxy === undefined ? {} : proxyVariables()),
    };
    const confined = launcher({ argv: launch.argv, cwd: folder, env }, { ...limits, tty, proxy });
    const start = (cwd: string) =>
      startOwned(threadId, { ...confined, cwd, tty: tty ? { cols: 80, rows: 24 } : undefined, onOutput });
    if (!isReleased) return start(confined.cwd);
    // A link may have replaced the folder during a question or the first attempt.
    using folders = new PinnedFolders();
    return start(folders.at(folder));
  }

  #makeRoom(): void {
    if (this.#sessions.size < maxSessions) return;
    const idle = [...this.#sessions.values()]
      .filter(({ attended }) => !attended)
      .sort((a, b) => a.lastUsedAt - b.lastUsedAt);
    const victim = idle.find(({ status }) => status !== undefined) ?? idle[0];
    if (!victim)
      throw new ToolFailure(`exec_command failed: ${maxSessions} commands are running already; wait for one to end`);
    this.forget(victim);
    if (victim.status === undefined) void victim.kill();
  }

  #freeId(): number {
    for (;;) {
      const id = 1000 + Math.floor(Math.random() * 99_000);
      if (!this.#sessions.has(id)) return id;
    }
  }
}

/** The model cannot fix this, and the turn continues without the command: the user has to know. */
function notifyUser(context: ToolContext, message: string): void {
  const error = { message, codexErrorInfo: "sandboxError", additionalDetails: null, misalignment: null };
  context.notify("error", { error, willRetry: true });
}

function explainSpawn(error: unknown, { argv, cwd }: CommandAction): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT")
    return `cannot start ${argv[0]} in ${cwd}: No such file or directory (is the working directory right?)`;
  if (code === "ENOTDIR" || code === "ELOOP")
    return `cannot start ${argv[0]} in ${cwd}: it is no folder, or was replaced by a link meanwhile`;
  if (code === "EACCES") return `cannot start ${argv[0]} in ${cwd}: Permission denied`;
  if (code === "E2BIG") return `cannot start ${argv[0]}: the command is too long; write it to a file and run that`;
  return `cannot start ${argv[0]} in ${cwd}: ${message}`;
}
