import type { GatewayDelivery } from "../../config/provider/gateway-oauth.ts";
import { Failure } from "../failure.ts";
import type { TokenAccess } from "./token-access.ts";

/** The authentication headers for a gateway. Throws a {@link Failure} when nobody has signed in. */
export async function gatewayHeaders(
  delivery: GatewayDelivery,
  access: TokenAccess,
  cookies: string | undefined,
): Promise<Record<string, string>> {
  const token = await access.token();
  if (token === null) {
    throw new Failure("Gateway sign-in required: sign in (account/gatewayOAuth/login), then try again.", "other");
  }
  if (delivery.kind === "cookie") return { cookie: [cookies ?? [], `${delivery.name}=${token}`].flat().join("; ") };
  return { [delivery.name.toLowerCase()]: delivery.scheme === null ? token : `${delivery.scheme} ${token}` };
}
