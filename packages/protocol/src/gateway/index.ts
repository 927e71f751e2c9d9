/** State of the connection between a hub and its server. */
export type HubState = "connecting" | "ready" | "reconnecting" | "disconnected";

/** A hub as pages see it. */
export interface HubInfo {
  /** The same over reconnects and restarts of the gateway. */
  readonly id: string;
  /** For people: `embedded`, `codex 0.166.0`, `127.0.0.1:4500`. */
  readonly name: string;
  /** Origin of the server. */
  readonly kind: "embedded" | "spawned" | "address" | "discovered";
  /** `ws://…`, `unix://…` or the command line; without credentials. */
  readonly address: string | null;
  readonly state: HubState;
  /** Number of the reconnect attempt; 0 when ready. */
  readonly attempt: number;
  /** Why it is not ready, with the remedy. */
  readonly error: string | null;
  /** The server's own name and version. */
  readonly userAgent: string | null;
  readonly version: string | null;
  /** Grows by one whenever the server was (re)initialized: what a page knows of the hub is old then. */
  readonly epoch: number;
}

/** Frames from the gateway to a page, one JSON text each. */
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

/** Frames from a page to the gateway. */
export type ToGateway =
  | { readonly type: "rpc"; readonly hub: string; readonly message: unknown }
  /** `ws://`, `wss://` or `unix://`. */
  | { readonly type: "addHub"; readonly address: string }
  | { readonly type: "removeHub"; readonly id: string }
  | { readonly type: "reconnectHub"; readonly id: string };

/** A terminal that the gateway keeps for all pages. */
export interface TerminalInfo {
  /** Name of its process at the server, for `command/exec/write`, `resize` and `outputDelta`. */
  readonly processId: string;
  /** The thread that it was opened beside. */
  readonly threadId: string;
  readonly cwd: string | null;
  /** Null while it runs. */
  readonly ended: { readonly exitCode: number | null; readonly error: string | null } | null;
}

/** Output of a terminal so far, the newest part of it, in base64. */
export interface TerminalOutput {
  readonly output: readonly string[];
  readonly ended: TerminalInfo["ended"];
}

/** JSON-RPC methods of a hub that the gateway itself serves, and the notification about them. */
export const terminalMethods = {
  /** `{threadId, exec}` with the params of a `command/exec` that streams. */
  open: "gateway/terminal/open",
  /** Answers `{terminals}`. */
  list: "gateway/terminal/list",
  /** `{processId}`; answers a {@link TerminalOutput}. New output follows as `command/exec/outputDelta`. */
  attach: "gateway/terminal/attach",
  /** `{processId}`: ends it, if it still runs, and forgets it. */
  close: "gateway/terminal/close",
  /** Sent with `{terminals}` whenever one was opened, ended or closed. */
  changed: "gateway/terminal/changed",
} as const;

/** A signed-in browser, as `GET /api/devices` lists it. */
export interface DeviceInfo {
  readonly id: string;
  readonly name: string;
  /** In ms since 1970, as `seenMs` is. */
  readonly createdMs: number;
  readonly seenMs: number;
  /** It is the one that asks. */
  readonly current: boolean;
  /** It is told of news while no page is open. */
  readonly push: boolean;
}

/** The answer of `POST /api/pair`. */
export interface PairAnswer {
  /** Signs one device in, within its time. */
  readonly code: string;
  readonly expiresMs: number;
  /** Origins under which other devices may reach the gateway; none where it listens for this machine alone. */
  readonly addresses: readonly string[];
}

/** A message to a device whose page is not open. */
export interface PushNotice {
  readonly kind: "ended" | "asks";
  readonly hub: string;
  readonly thread: string;
  readonly title: string;
  readonly body: string;
  /** The question that can be answered from the notice, because all of it is in there; null for none. */
  readonly question: string | null;
}
