import { configFlags, configOverrides } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { showHelp } from "../lib/show-help.ts";

const flags = {
  ...configFlags,
  remoteControl: { type: "switch", help: "Not supported: remote control is an OpenAI service." },
} as const satisfies Flags;

const actions = ["start", "stop", "restart", "version", "bootstrap"] as const;

const daemonSpec: CommandSpec<typeof flags> = {
  name: "quire app-server daemon",
  summary: "Manage an app-server in the background",
  operands: actions.join("|"),
  maxOperands: 1,
  flags,
  examples: [
    ["quire app-server daemon start", "Start it unless it is running, with these configuration options."],
    ['quire run --server unix:// "Hello"', "Use it."],
  ],
  notes:
    "Each command prints one line of JSON. The daemon listens on app-server-control/app-server-control.sock in the home folder. `version` exits with 1 if no server answers.",
};

/** Runs the action and prints one line of JSON. Returns the exit code. */
export async function daemon(args: readonly string[]): Promise<number> {
  const { flags: given, operands, help } = parseArguments(daemonSpec, args);
  if (help) return showHelp(daemonSpec);
  const [action = ""] = operands;
  if (given.remoteControl || action === "enable-remote-control") {
    throw new Error(
      "remote control is an OpenAI service; to reach Quire from another machine, use --listen ws:// or quire up",
    );
  }
  if (action === "") throw new UsageError(`which action? quire app-server daemon ${actions.join("|")}`);
  if (!isAction(action)) throw new UsageError(`expected ${actions.join(", ")}, got '${action}'`);
  // Checked here: a daemon could only tell its log.
  configOverrides(given);
  const [{ Daemon, daemonProgram }, { resolveHome }, { codexVersion }] = await Promise.all([
    import("../daemon/daemon.ts"),
    import("@quire/server/startup"),
    import("@quire/server"),
  ]);
  const handle = new Daemon(resolveHome(process.env));
  const forwardedFlags = [
    ...given.config.flatMap((pair) => ["-c", pair]),
    ...given.enable.flatMap((name) => ["--enable", name]),
    ...given.disable.flatMap((name) => ["--disable", name]),
  ];
  const { status, backend, pid, appServerVersion } = await run();
  const { socketPath } = handle;
  const program = { managedCodexPath: daemonProgram, managedCodexVersion: codexVersion };
  const bootstrap = action === "bootstrap";
  const more = bootstrap ? { autoUpdateEnabled: false, remoteControlEnabled: false } : { pid };
  const line = {
    status: bootstrap ? "bootstrapped" : status,
    backend,
    ...more,
    ...program,
    socketPath,
    cliVersion: codexVersion,
    appServerVersion,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
  return 0;

  function run() {
    if (action === "stop") return handle.stop();
    if (action === "restart") return handle.restart(forwardedFlags);
    return action === "version" ? handle.version() : handle.start(forwardedFlags);
  }
}

const isAction = (text: string): text is (typeof actions)[number] => (actions as readonly string[]).includes(text);
