import {
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
  selectResourceURL,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { boundedFetch } from "./bounded-fetch.ts";

/** A server's offer of a login. Unknown when it, or its issuer, cannot be asked or answers nonsense. */
export interface LoginOffer {
  readonly offered: "yes" | "no" | "unknown";
  /** The page that names the server's issuers, if the server says where it is. */
  readonly resourceMetadataUrl?: URL;
}

/** Asks a server on the network whether it offers a login, as a client without one. */
export async function discoverLogin(url: string, signal: AbortSignal): Promise<LoginOffer> {
  let refused = false;
  const fetchFn = async (address: string | URL, init?: RequestInit) => {
    const response = await boundedFetch(address, { ...init, signal });
    // A page that is not there says that there is no login; any other failure says nothing.
    if (!response.ok && response.status !== 404) refused = true;
    return response;
  };
  try {
    const answer = await boundedFetch(url, { signal, headers: { accept: "text/event-stream" } });
    const { resourceMetadataUrl } = extractWWWAuthenticateParams(answer);
    await answer.body?.cancel();
    const where = resourceMetadataUrl && { resourceMetadataUrl };
    const { authorizationServerMetadata, resourceMetadata } = await discoverOAuthServerInfo(url, { ...where, fetchFn });
    // Throws where the page is about another server.
    await selectResourceURL(url, {} as OAuthClientProvider, resourceMetadata);
    return { offered: authorizationServerMetadata ? "yes" : refused ? "unknown" : "no", ...where };
  } catch {
    return { offered: "unknown" };
  }
}
