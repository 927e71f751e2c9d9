import type { Scenario } from "../../lib/scenario.ts";
import { replyWords } from "../../lib/shared-differences.ts";
import { requestEach } from "../../lib/steps.ts";

const toml = `
[model_providers.keyed]
name = "Keyed"
base_url = "https://gateway.example/v1"
env_key = "GATEWAY_KEY"
[model_providers.hidden]
name = "Hidden"
base_url = "http://user:password@gateway.example/v1"
[model_providers.token]
name = "Token"
base_url = "http://gateway.example/v1"
experimental_bearer_token = "secret"
`;

/** Providers of models in the user's configuration. */
export const providers: readonly Scenario[] = [
  {
    name: "providers/list",
    covers: "`modelProvider/list` says how each provider is reached, and nothing of its keys",
    setup: { toml },
    run: async (stage) => {
      const peer = await stage.connect();
      await requestEach(peer, "modelProvider/list", [{}, undefined]);
    },
  },
  {
    name: "providers/write",
    covers: "`modelProvider/config/write` adds and changes providers, and refuses what cannot be used",
    run: async (stage) => {
      const peer = await stage.connect();
      const gateway = { type: "customGateway" };
      const baseUrl = "https://one.example/v1";
      await requestEach(
        peer,
        "modelProvider/config/write",
        [
          { ...gateway, name: "My Gateway", baseUrl, envKey: "KEY" },
          { ...gateway, name: "My Gateway", baseUrl: "https://two.example/v1" },
          { ...gateway, providerId: "my-gateway", baseUrl: "https://three.example/v1", envKey: null },
          { ...gateway, providerId: "my-gateway", name: "Renamed" },
          gateway,
          { ...gateway, name: " ", baseUrl },
          { ...gateway, name: "No address" },
          { ...gateway, name: "Bad address", baseUrl: "nowhere" },
          { ...gateway, name: "Secret address", baseUrl: "https://user:password@one.example/v1" },
          { ...gateway, name: "Bad key", baseUrl, envKey: "no name" },
          { ...gateway, providerId: "unknown", name: "x" },
          { ...gateway, providerId: "openai", name: "x" },
          { type: "bedrock", providerId: "amazon-bedrock", profile: "work", region: "us-east-1" },
          { type: "gcp", providerId: "gcp", projectId: "p", location: "l", credentialFile: "/key.json" },
          { type: "other" },
        ].map((settings) => ({ settings })),
      );
      await peer.request("modelProvider/list", {});
    },
    differences: [replyWords],
  },
  {
    name: "providers/unknown",
    covers: "A provider that is named and not configured is refused, and told apart from other errors",
    run: async (stage) => {
      const peer = await stage.connect();
      await peer.request("model/list", { modelProvider: "nowhere" });
      await requestEach(peer, "account/gatewayOAuth/read", [
        {},
        { modelProvider: "mock" },
        { modelProvider: "nowhere" },
      ]);
      await peer.request("account/gatewayOAuth/login", { modelProvider: "nowhere" });
      await peer.request("account/securitySetup/read");
    },
    differences: [replyWords],
  },
];
