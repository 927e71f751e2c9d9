import { NpmCache } from "./npm-cache.ts";

/** Clients of Codex that others publish and that must work on our server, with what they want beside them. */
const wanted = {
  "@agentclientprotocol/sdk": "2.4.0",
  "@agentclientprotocol/codex-acp": "2.6.0",
  "@openai/codex-sdk": "0.163.0",
  "@trishchuk/codex-mcp-tool": "2.5.0",
  "ai-sdk-provider-codex-app-server": "1.1.7",
  "ai-sdk-provider-codex-cli": "2.2.1",
  "ai-sdk-provider-codex-cli-v1": "npm:ai-sdk-provider-codex-cli@1.4.1",
  "codex-mcp-server": "1.4.10",
  happy: "1.2.5",
  zod: "4.1.13",
};

// Without what is optional: that is a Codex of 300 MB, and they are given our server instead.
const cache = new NpmCache("stock-clients", wanted, ["--omit=optional"]);

/** True if all of them are installed, in the right version. */
export const hasStockClients = async (): Promise<boolean> => cache.isInstalled();

/** Installs them from npm, beside this repository: none of them is a dependency. */
export const installStockClients = (): Promise<void> => cache.install();
