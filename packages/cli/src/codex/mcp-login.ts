import { createInterface } from "node:readline";
import { parseArguments } from "../args/parse.ts";
import type { Link } from "../exec/link.ts";
import { showHelp } from "../lib/show-help.ts";
import { mcpLoginSpec, mcpLogoutSpec, mcpRemoveSpec } from "./mcp-flags.ts";
import { found, open, required, serversOf } from "./mcp-link.ts";

const print = (text: string): void => void process.stdout.write(text);

/** Options of a login at an MCP server. */
export interface McpLoginOptions {
  readonly scopes?: readonly string[] | undefined;
  readonly registration?: "auto" | "cimd" | "dcr" | undefined;
  /** True to read the address that the browser ended on from stdin, for a browser on another machine. */
  readonly noBrowser?: boolean;
}

/** Logs in to an MCP server. */
export async function login(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(mcpLoginSpec, args);
  if (help) return showHelp(mcpLoginSpec);
  const name = required(operands[0], mcpLoginSpec);
  await using link = await open(flags);
  found(await serversOf(link), name);
  const { noBrowser, oauthClientRegistration: registration } = flags;
  await runLogin(link, name, { noBrowser, registration, scopes: flags.scopes?.split(",") });
  print(`Successfully logged in to MCP server '${name}'.\n`);
  return 0;
}

/** Forgets the login at an MCP server. */
export async function logout(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(mcpLogoutSpec, args);
  if (help) return showHelp(mcpLogoutSpec);
  const name = required(operands[0], mcpLogoutSpec);
  await using link = await open(flags);
  const { url } = found(await serversOf(link), name);
  if (typeof url !== "string")
    throw new Error(`'${name}' is a program: it has no OAuth login; ${mcpRemoveSpec.name} ${name} removes it`);
  const [{ forgetLogin }, { resolveHome }] = await Promise.all([
    import("@quire/server"),
    import("@quire/server/startup"),
  ]);
  const isGone = forgetLogin(resolveHome(process.env), name, url);
  print(isGone ? `Removed OAuth credentials for '${name}'.\n` : `No OAuth credentials stored for '${name}'.\n`);
  return 0;
}

/** Has the user log in with a browser, and waits for it. Throws with the reason when it comes to nothing. */
export async function runLogin(link: Link, name: string, options: McpLoginOptions): Promise<void> {
  const ended = new Promise<{ success: boolean; error?: string | null | undefined }>((resolve) => {
    link.follow(({ method, params }) => {
      if (method === "mcpServer/oauthLogin/completed" && params.name === name) resolve(params);
    });
  });
  const { authorizationUrl } = await link.connection.request("mcpServer/oauth/login", {
    name,
    scopes: options.scopes && [...options.scopes],
    clientRegistration: options.registration,
  });
  print(`Authorize \`${name}\` by opening this URL in your browser:\n${authorizationUrl}\n\n`);
  const { success, error } = options.noBrowser
    ? await Promise.race([ended, pastedBack(authorizationUrl).then(() => ended)])
    : await opened(authorizationUrl).then(() => ended);
  if (!success) throw new Error(`failed to log in to MCP server '${name}': ${error ?? "it was not completed"}`);
}

async function opened(authorizationUrl: string): Promise<void> {
  (await import("../up/open-browser.ts")).openBrowser(authorizationUrl);
}

/** Reads the address that the browser ended on, and calls it from here. */
async function pastedBack(authorizationUrl: string): Promise<void> {
  print("After signing in, copy the full URL from your browser's address bar.\n");
  print("If the callback page cannot load, paste that URL here anyway.\n");
  const redirect = new URL(authorizationUrl).searchParams.get("redirect_uri") ?? "";
  for await (const line of createInterface({ input: process.stdin })) {
    const text = line.trim();
    if (text === "") continue;
    const [pasted, expected] = [URL.canParse(text) ? new URL(text) : undefined, new URL(redirect)];
    if (pasted?.origin !== expected.origin || pasted.pathname !== expected.pathname)
      throw new Error(`that is not the address that the browser is sent to: it begins with ${redirect}`);
    await (await fetch(pasted)).text();
    return;
  }
  throw new Error("No OAuth callback URL received before input closed");
}
