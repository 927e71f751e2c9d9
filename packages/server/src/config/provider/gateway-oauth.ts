import type { Settings } from "../settings.ts";

/** Sign-in at a provider's gateway: `[model_providers.NAME.gateway_oauth]`. */
export interface GatewayOAuth {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly resource: string | null;
  readonly scopes: readonly string[];
  /** The port of the redirect; `null` for any. */
  readonly redirectPort: number | null;
  readonly delivery: GatewayDelivery;
}

/** The place of the token in requests to the gateway. */
export type GatewayDelivery =
  | { readonly kind: "header"; readonly name: string; readonly scheme: string | null }
  | { readonly kind: "cookie"; readonly name: string };

/** Reads it; `null` where the provider has none. Throws a ConfigError for one that cannot be used. */
export function gatewayOAuth(provider: string, settings: Settings): GatewayOAuth | null {
  const at = (...keys: string[]) => ["model_providers", provider, "gateway_oauth", ...keys];
  if (settings.table(...at()) === null) return null;
  const url = (key: string) => {
    const read = settings.url(...at(key));
    if (read === null) throw settings.error(at(), `${key} is missing. Add the address that the gateway documents.`);
    return read;
  };
  const clientId = settings.name(...at("client_id"));
  if (clientId === null) throw settings.error(at(), "client_id is missing. Add the id that the gateway has given you.");
  const redirectPort = settings.count(...at("redirect_port"));
  if (redirectPort === 0 || (redirectPort ?? 0) > 65_535)
    throw settings.error(at("redirect_port"), "must be from 1 to 65535. Leave it out for any free port.");
  return {
    authorizationUrl: url("authorization_url"),
    tokenUrl: url("token_url"),
    clientId,
    resource: settings.name(...at("resource")),
    scopes: settings.strings(...at("scopes")),
    redirectPort,
    delivery: delivery(at("delivery"), settings),
  };
}

function delivery(at: readonly string[], settings: Settings): GatewayDelivery {
  if (settings.table(...at) === null) return { kind: "header", name: "Authorization", scheme: "Bearer" };
  const kind = settings.oneOf(["header", "cookie"], ...at, "kind");
  const name = settings.name(...at, "name");
  if (kind === null || name === null) throw settings.error(at, 'needs kind = "header" or "cookie", and a name.');
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw settings.error([...at, "name"], `"${name}" is no name.`);
  return kind === "cookie" ? { kind, name } : { kind, name, scheme: settings.name(...at, "scheme") };
}
