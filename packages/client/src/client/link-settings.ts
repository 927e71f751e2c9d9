import { type InitializeParams, quireVersion } from "@quire/protocol";
import type { ReconnectOptions } from "../link/link-options.ts";
import type { CommonOptions } from "./client-options.ts";
import type { Dialer } from "./dial.ts";

/** The params of `initialize`. */
export function initializeParams(options: CommonOptions): InitializeParams {
  const { clientName = "quire", clientTitle, clientVersion = quireVersion, experimentalApi = true } = options;
  return {
    clientInfo: { name: clientName, title: clientTitle ?? null, version: clientVersion },
    capabilities: {
      experimentalApi,
      ...options.capabilities,
      ...(options.optOutNotificationMethods && { optOutNotificationMethods: [...options.optOutNotificationMethods] }),
    },
  };
}

/** Options for making a lost connection again; `undefined` where it stays lost. */
export function reconnectOptions(dialer: Dialer, asked: CommonOptions["reconnect"]): ReconnectOptions | undefined {
  if (!dialer.canRedial || !(asked ?? dialer.isSocket)) return undefined;
  return typeof asked === "object" ? asked : {};
}
