import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import type { OAuthClient } from "../config/mcp-config.ts";
import type { CredentialsFile, McpLogin } from "./credentials-file.ts";
import { LoginNeeded } from "./login-needed.ts";

/** The server that a login belongs to. */
export interface LoginPlace {
  readonly file: CredentialsFile;
  readonly name: string;
  readonly url: string;
  /** The client, as the configuration describes it. */
  readonly client: OAuthClient;
}

/** The part that only a new login needs. */
export interface NewLogin {
  readonly redirectUri: string;
  readonly state: string;
  readonly scopes: readonly string[];
  /** Receives the page that the user has to open. */
  readonly open: (url: URL) => void;
}

/** Keeps the login at a server for the SDK: uses and renews one that is stored, or makes a new one. */
export class McpOAuth implements OAuthClientProvider {
  readonly #place: LoginPlace;
  readonly #making: NewLogin | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #verifier = "";

  constructor(place: LoginPlace, making?: NewLogin) {
    this.#place = place;
    this.#making = making;
    const { clientId, clientSecret } = place.client;
    if (clientId !== null)
      this.#client = { client_id: clientId, ...(clientSecret !== null && { client_secret: clientSecret }) };
  }

  get redirectUrl(): string {
    return this.#making?.redirectUri ?? "http://127.0.0.1/callback";
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: "Quire",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      ...(this.#making && this.#making.scopes.length > 0 && { scope: this.#making.scopes.join(" ") }),
    };
  }

  state(): string {
    return this.#making?.state ?? "";
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    if (this.#making) return this.#client;
    const login = this.#stored();
    if (login === undefined) return undefined;
    const { clientId, clientSecret } = this.#place.client;
    const secret = login.clientSecret ?? (login.clientId === clientId ? clientSecret : null);
    return {
      client_id: login.clientId,
      ...(secret !== null && { client_secret: secret }),
      // One issuer's secrets are shown to no other.
      ...(login.issuer !== null && { issuer: login.issuer }),
    };
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#client = client;
  }

  tokens(): OAuthTokens | undefined {
    const login = this.#making ? undefined : this.#stored();
    if (login === undefined) return undefined;
    return {
      access_token: login.accessToken,
      token_type: "Bearer",
      ...(login.refreshToken !== null && { refresh_token: login.refreshToken }),
      ...(login.issuer !== null && { issuer: login.issuer }),
    };
  }

  saveTokens(tokens: OAuthTokens): void {
    const before = this.#stored();
    const client = this.clientInformation();
    const { file, name, url } = this.#place;
    file.write(name, url, {
      clientId: client?.client_id ?? before?.clientId ?? "",
      // A secret of the configuration stays there alone.
      clientSecret: this.#place.client.clientSecret === null ? (client?.client_secret ?? null) : null,
      issuer: tokens.issuer ?? before?.issuer ?? null,
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? (this.#making ? null : (before?.refreshToken ?? null)),
      expiresAtMs: tokens.expires_in === undefined ? null : Date.now() + tokens.expires_in * 1000,
      scopes: tokens.scope?.split(" ") ?? this.#making?.scopes ?? before?.scopes ?? [],
    });
  }

  redirectToAuthorization(url: URL): void {
    if (this.#making === undefined) throw new LoginNeeded(this.#place.name);
    const { resource } = this.#place.client;
    if (resource !== null) url.searchParams.append("resource", resource);
    this.#making.open(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  #stored(): McpLogin | undefined {
    const { file, name, url } = this.#place;
    return file.read(name, url);
  }
}
