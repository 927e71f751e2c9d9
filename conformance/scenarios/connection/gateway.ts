import type { Scenario } from "../../lib/scenario.ts";
import { errorWords } from "../../lib/shared-differences.ts";
import type { Stage } from "../../lib/stage.ts";
import { runTurn, startThread } from "../../lib/steps.ts";

const changed = "account/gatewayOAuth/changed";

/** Nobody listens there: signing in ends where the code would become a token. */
const gatewayOAuth = {
  authorization_url: "http://127.0.0.1:9/authorize?tenant=t",
  token_url: "http://127.0.0.1:9/token",
  client_id: "client",
  scopes: ["read", "write"],
  resource: "models",
};

/** Notifications about the gateway, without repetitions: the real server repeats them. */
function told({ log }: Stage): unknown[] {
  const states = log.flatMap(({ by, message: { method, params } }) => {
    const { authUrl, ...state } = (params ?? {}) as { readonly authUrl?: string | null };
    return by === "server" && method === changed ? [JSON.stringify({ ...state, hasUrl: authUrl !== null })] : [];
  });
  return states.filter((state, index) => state !== states[index - 1]).map((state) => JSON.parse(state));
}

/** Model providers behind a gateway at which users sign in. */
export const gateway: readonly Scenario[] = [
  {
    name: "gateway/sign-in",
    covers: "`account/gatewayOAuth/*`: a provider behind a gateway, whose sign-in is cancelled, then fails",
    setup: { config: { "model_providers.mock.gateway_oauth": gatewayOAuth } },
    erratic: [changed],
    run: async (stage) => {
      const peer = await stage.connect({ capabilities: { experimentalApi: true, explicitGatewayOauth: true } });
      await peer.request("account/gatewayOAuth/read");
      const thread = await startThread(peer);
      await runTurn(peer, thread, "go");
      const begin = async () => {
        const id = peer.begin("account/gatewayOAuth/login");
        const { authUrl } = await peer.waitFor(changed, (params) => typeof params.authUrl === "string");
        return { id, query: new URL(authUrl ?? "").searchParams };
      };
      const first = await begin();
      stage.observe(
        "page",
        [...first.query].map(([key, value]) => (/^(state|code_challenge)$/.test(key) ? key : [key, value])).sort(),
      );
      await peer.request("account/gatewayOAuth/login");
      const back = ({ query }: typeof first, state: string | null) =>
        fetch(`${query.get("redirect_uri")}?code=code&state=${state}`);
      stage.observe("a guess", (await back(first, "guessed")).status);
      await peer.request("account/gatewayOAuth/cancel");
      await peer.reply(first.id);
      await peer.request("account/gatewayOAuth/read");
      const second = await begin();
      await back(second, second.query.get("state")).catch(() => undefined);
      await peer.reply(second.id);
      await peer.request("account/gatewayOAuth/read");
      await peer.request("account/gatewayOAuth/cancel");
      await stage.silence();
      stage.observe("told", told(stage));
    },
    differences: [errorWords],
  },
];
