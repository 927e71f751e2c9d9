import { commandLine } from "../args/command-line.ts";
import { type ConfigFlagValues, configFlags, configOverrides } from "../args/config-flags.ts";
import { type CommandSpec, type Flags, flagName } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { programName } from "../args/program-name.ts";
import { UsageError } from "../args/usage-error.ts";
import { type Link, openLink } from "../exec/link.ts";
import { showHelp } from "../lib/show-help.ts";

const flags = {
  withApiKey: { type: "switch", help: "Read an API key from stdin and store it." },
  withAccessToken: {
    type: "switch",
    help: "Not supported: log in with --with-api-key, --device-auth or a browser.",
  },
  apiKey: { type: "text", value: "KEY", help: "Not supported, here and in Codex: pipe the key to --with-api-key." },
  deviceAuth: { type: "switch", help: "Log in on another device, with a code. For machines without a browser." },
  ...configFlags,
} as const satisfies Flags;

/** `login`. */
export const loginSpec: CommandSpec<typeof flags> = {
  name: `${programName} login`,
  summary: "Log in, or show whether you are",
  flags,
  commands: [["status", "Show how you are logged in; the exit code is 1 if you are not"]],
  examples: [
    [`printenv OPENAI_API_KEY | ${programName} login --with-api-key`, "Stores an API key."],
    [`${programName} login --device-auth`, "Logs in with a code that you enter on another device."],
  ],
  notes: "What you log in with is stored in auth.json of the home folder, which only you can read.",
};

/** `logout`. */
export const logoutSpec: CommandSpec<typeof configFlags> = {
  name: `${programName} logout`,
  summary: "Forget how you logged in",
  flags: configFlags,
};

/** A login is one at OpenAI, whichever provider the configuration names. */
function openAccount(given: ConfigFlagValues): Promise<Link> {
  const overrides = { ...configOverrides(given), model_provider: "openai" };
  return openLink({ overrides, clientName: "codex_cli", source: "cli" });
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Logs in by browser, code or key. Returns the exit code. */
export async function login(args: readonly string[]): Promise<number> {
  const { name, args: rest } = commandLine(args, flags);
  if (name === "status") return status(rest);
  const { flags: given, help } = parseArguments(loginSpec, args);
  if (help) return showHelp(loginSpec);
  for (const [name, isGiven] of [
    ["withAccessToken", given.withAccessToken],
    ["apiKey", given.apiKey !== undefined],
  ] as const)
    if (isGiven) throw new Error(`${flagName(name)} is not supported${flags[name].help.replace(/^[^:]*/, "")}`);
  if (given.withApiKey && given.deviceAuth) throw new UsageError("--with-api-key and --device-auth exclude each other");
  await using link = await openAccount(given);
  if (!given.withApiKey) return await loginAtProvider(link, given.deviceAuth);
  say("Reading API key from stdin...");
  const apiKey = process.stdin.isTTY ? "" : (await Bun.stdin.text()).trim();
  if (apiKey === "") {
    say(`No API key provided via stdin. Pipe it: printenv OPENAI_API_KEY | ${loginSpec.name} --with-api-key`);
    return 1;
  }
  await link.connection.request("account/login/start", { type: "apiKey", apiKey });
  say("API key saved. Authentication is checked when you send a request.");
  return 0;
}

async function loginAtProvider(link: Link, byCode: boolean): Promise<number> {
  const ended = new Promise<{ success: boolean; error?: string | null | undefined }>((resolve) => {
    link.follow(({ method, params }) => {
      if (method === "account/login/completed") resolve(params);
    });
  });
  const begun = await link.connection.request("account/login/start", {
    type: byCode ? "chatgptDeviceCode" : "chatgpt",
  });
  if (begun.type === "chatgptDeviceCode")
    say(`Open ${begun.verificationUrl} on any device and enter this code:\n\n  ${begun.userCode}\n`);
  else if (begun.type === "chatgpt") {
    say(`Open this address in your browser to log in:\n\n  ${begun.authUrl}\n`);
    say(`No browser on this machine? Use \`${loginSpec.name} --device-auth\`.`);
    (await import("../up/open-browser.ts")).openBrowser(begun.authUrl);
  }
  const { success, error } = await ended;
  say(success ? "Successfully logged in" : `Error logging in: ${error ?? "the login was not completed"}`);
  return success ? 0 : 1;
}

async function status(args: readonly string[]): Promise<number> {
  const spec = { ...logoutSpec, name: `${programName} login status`, summary: "Show how you are logged in" };
  const { flags: given, help } = parseArguments(spec, args);
  if (help) return showHelp(spec);
  await using link = await openAccount(given);
  const { authMethod, authToken } = await link.connection.request("getAuthStatus", {
    includeToken: true,
    refreshToken: false,
  });
  if (authMethod === "apikey") say(`API key configured - ${masked(authToken ?? "")}`);
  else if (authMethod) say("Logged in using ChatGPT");
  else say("Not logged in");
  return authMethod ? 0 : 1;
}

/** Enough of a key to tell it from another. */
function masked(key: string): string {
  return key.length > 13 ? `${key.slice(0, 8)}***${key.slice(-5)}` : "***";
}

/** Forgets the login. Returns the exit code. */
export async function logout(args: readonly string[]): Promise<number> {
  const { flags: given, help } = parseArguments(logoutSpec, args);
  if (help) return showHelp(logoutSpec);
  await using link = await openAccount(given);
  const { authMethod } = await link.connection.request("getAuthStatus", { includeToken: false, refreshToken: false });
  await link.connection.request("account/logout");
  say(authMethod ? "Successfully logged out" : "Not logged in");
  return 0;
}
