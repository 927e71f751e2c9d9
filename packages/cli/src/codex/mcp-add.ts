import { parseArguments } from "../args/parse.ts";
import { programName } from "../args/program-name.ts";
import { UsageError } from "../args/usage-error.ts";
import { showHelp } from "../lib/show-help.ts";
import { mcpAddSpec } from "./mcp-flags.ts";
import { configOf, open, required, write } from "./mcp-link.ts";
import { runLogin } from "./mcp-login.ts";

type AddFlags = ReturnType<typeof parseArguments<typeof mcpAddSpec.flags>>["flags"];

const print = (text: string): void => void process.stdout.write(text);

/** Adds an MCP server to config.toml, and logs in where the server offers that. */
export async function add(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(mcpAddSpec, args);
  if (help) return showHelp(mcpAddSpec);
  const [first, command, ...rest] = operands;
  const name = required(first, mcpAddSpec);
  if ((command === undefined) === (flags.url === undefined))
    throw new UsageError(`expected a command or --url, and not both: ${mcpAddSpec.name} ${mcpAddSpec.operands}`);
  refuseUseless(flags);
  if (!/^[\w:@/.-]+$/.test(name))
    throw new Error(`invalid server name '${name}' (use letters, numbers, '-', '_', ':', '@', '/', '.')`);
  await using link = await open(flags);
  if (flags.url === undefined) {
    await write(link, name, { command, args: rest, ...(flags.env.length > 0 && { env: environment(flags.env) }) });
    print(`Added global MCP server '${name}'.\n`);
    return 0;
  }
  const { mcpLoginOffer, mcpOAuthRedirect } = await import("@quire/server");
  const { mcp_oauth_callback_url: base } = await configOf(link);
  const callback = typeof base === "string" && URL.canParse(base) ? base : undefined;
  const redirect = flags.oauthClientId === undefined ? undefined : mcpOAuthRedirect(flags.url, callback);
  await write(link, name, onNetwork(flags, redirect));
  print(`Added global MCP server '${name}'.\n`);
  if (redirect !== undefined) print(`OAuth callback URL: ${redirect}\n`);
  if (flags.bearerTokenEnvVar !== undefined) return 0;
  const { offered } = await mcpLoginOffer(flags.url);
  if (offered === "unknown")
    print(`MCP server may or may not require login. Run \`${programName} mcp login ${name}\` to login.\n`);
  if (offered !== "yes") return 0;
  print("Detected OAuth support. Starting OAuth flow…\n");
  await runLogin(link, name, { registration: flags.oauthClientRegistration });
  print("Successfully logged in.\n");
  return 0;
}

function onNetwork(flags: AddFlags, redirect: string | undefined): Record<string, unknown> {
  const { url, bearerTokenEnvVar, oauthClientId, oauthClientSecret, oauthResource } = flags;
  const oauth = {
    client_id: oauthClientId,
    ...(oauthClientSecret !== undefined && { client_secret: oauthClientSecret }),
    callback_url: redirect,
  };
  return {
    url,
    ...(bearerTokenEnvVar !== undefined && { bearer_token_env_var: bearerTokenEnvVar }),
    ...(oauthResource !== undefined && { oauth_resource: oauthResource }),
    ...(oauthClientId !== undefined && { oauth }),
  };
}

/** Refuses options that say nothing about a server of this kind. */
function refuseUseless(flags: AddFlags): void {
  const ofNetwork = {
    "--bearer-token-env-var": flags.bearerTokenEnvVar,
    "--oauth-client-id": flags.oauthClientId,
    "--oauth-client-secret": flags.oauthClientSecret,
    "--oauth-client-registration": flags.oauthClientRegistration,
    "--oauth-resource": flags.oauthResource,
  };
  const given = Object.entries(ofNetwork).find(([, value]) => value !== undefined)?.[0];
  if (flags.url === undefined && given !== undefined) throw new UsageError(`${given} needs --url <URL>`);
  if (flags.url !== undefined && flags.env.length > 0)
    throw new UsageError("--env is for a program: a server at --url has no environment");
  if (flags.oauthClientId?.trim() === "") throw new UsageError("--oauth-client-id needs the id of a client");
  if (flags.oauthClientSecret !== undefined && flags.oauthClientId === undefined)
    throw new UsageError("--oauth-client-secret needs --oauth-client-id <CLIENT_ID>");
}

function environment(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf("=");
      if (equals < 1) throw new UsageError(`invalid value '${pair}' for '--env <KEY=VALUE>': expected KEY=VALUE`);
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}
