/** Where a hub stands with its server. */
export type HubState = "connecting" | "ready" | "reconnecting" | "disconnected";

/** A hub as pages see it. */
export interface HubInfo {
  /** The same over reconnects and restarts of the gateway. */
  readonly id: string;
  /** For people: `embedded`, `codex 0.166.0`, `127.0.0.1:4500`. */
  readonly name: string;
  /** How the gateway came by it. */
  readonly kind: "embedded" | "spawned" | "address" | "discovered";
  /** `ws://…`, `unix://…` or the command line; without credentials. */
  readonly address: string | null;
  readonly state: HubState;
  /** Which of the tries to come back this is; 0 when ready. */
  readonly attempt: number;
  /** Why it is not ready, with the remedy. */
  readonly error: string | null;
  /** What the server said of itself. */
  readonly userAgent: string | null;
  readonly version: string | null;
  /** Grows by one whenever the server was (re)initialized: what a page knows of the hub is old then. */
  readonly epoch: number;
}

/** What the gateway sends to a page, one JSON text per frame. */
export type ToPage =
  | {
      readonly type: "welcome";
      readonly version: string;
      readonly cwd: string;
      readonly home: string;
      readonly hubs: readonly HubInfo[];
      /** Path under which an orchestrator's status API is served. */
      readonly orchestrator: string | null;
    }
  /** New or changed. */
  | { readonly type: "hub"; readonly hub: HubInfo }
  | { readonly type: "hubRemoved"; readonly id: string }
  /** A JSON-RPC message of that hub. */
  | { readonly type: "rpc"; readonly hub: string; readonly message: unknown }
  | { readonly type: "failed"; readonly request: "addHub" | "removeHub"; readonly message: string };

/** What a page sends to the gateway. */
export type ToGateway =
  | { readonly type: "rpc"; readonly hub: string; readonly message: unknown }
  /** `ws://`, `wss://` or `unix://`. */
  | { readonly type: "addHub"; readonly address: string }
  | { readonly type: "removeHub"; readonly id: string }
  | { readonly type: "reconnectHub"; readonly id: string };
