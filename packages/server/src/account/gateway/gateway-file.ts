import { join } from "node:path";
import type { GatewayOAuth } from "../../config/provider/gateway-oauth.ts";
import { readRows, writePrivate } from "../../lib/private-file.ts";
import { isTable, ownValue } from "../../lib/table.ts";
import type { GatewayTokens } from "./gateway-tokens.ts";

/** Tokens of gateways: `.gateway-credentials.json` in the home, for its owner alone. */
export class GatewayFile {
  readonly #path: string;

  constructor(home: string) {
    this.#path = join(home, ".gateway-credentials.json");
  }

  read(gateway: GatewayOAuth): GatewayTokens | undefined {
    const row = ownValue(readRows(this.#path), key(gateway));
    if (!isTable(row) || typeof row.access_token !== "string") return undefined;
    return {
      accessToken: row.access_token,
      refreshToken: typeof row.refresh_token === "string" ? row.refresh_token : null,
      expiresAtMs: typeof row.expires_at_ms === "number" ? row.expires_at_ms : null,
    };
  }

  write(gateway: GatewayOAuth, tokens: GatewayTokens): void {
    const row = {
      access_token: tokens.accessToken,
      refresh_token: tokens.refreshToken,
      expires_at_ms: tokens.expiresAtMs,
    };
    writePrivate(this.#path, JSON.stringify({ ...readRows(this.#path), [key(gateway)]: row }));
  }

  remove(gateway: GatewayOAuth): void {
    const { [key(gateway)]: gone, ...rest } = readRows(this.#path);
    if (gone !== undefined) writePrivate(this.#path, JSON.stringify(rest));
  }
}

/** Tokens go only to the gateway that issued them: another address or client is another gateway. */
function key({ authorizationUrl, tokenUrl, clientId, resource, scopes }: GatewayOAuth): string {
  const identity = JSON.stringify([authorizationUrl, tokenUrl, clientId, resource, scopes]);
  return new Bun.CryptoHasher("sha256").update(identity).digest("hex").slice(0, 32);
}
