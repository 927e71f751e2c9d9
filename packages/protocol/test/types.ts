// Holds no test to run: it must compile. Each line is a promise to those who write against the types.
import type { AnyMethods, MethodTable, ParamsOf, ResultOf } from "@quire/jsonrpc";
import type {
  ClientMethods,
  ClientRequests,
  CommandExecutionThreadItem,
  CommandExecutionThreadItem as CommandItem,
  ServerMethods,
  ServerNotification,
  ServerNotifications,
  ServerRequests,
  ThreadItem,
  ThreadStartParams,
  UserInput,
} from "@quire/protocol";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const proves = <_T extends true>(): void => {};

// The tables fit the connection of @quire/jsonrpc.
const fits = <_T extends MethodTable>(): void => {};
fits<ServerMethods>();
fits<ClientMethods>();
fits<AnyMethods>();
proves<Equal<ParamsOf<ServerMethods, "thread/start">, ThreadStartParams>>();
proves<Equal<ResultOf<ServerMethods, "thread/start">["thread"]["id"], string>>();
proves<Equal<ClientRequests["thread/start"]["params"], ThreadStartParams>>();

// Params that may be left out are.
proves<Equal<ClientRequests["account/logout"]["params"], null | undefined>>();
proves<undefined extends ClientRequests["account/rateLimits/read"]["params"] ? true : false>();
proves<undefined extends ClientRequests["thread/start"]["params"] ? false : true>();

// A caller may pass undefined for what is optional, and need not name anything.
export const params: ThreadStartParams = { cwd: undefined, sandbox: "workspace-write" };
export const none: ThreadStartParams = {};
// @ts-expect-error: no such sandbox
export const wrong: ThreadStartParams = { sandbox: "foo" };

/** Items narrow by their type. */
export function narrow(item: ThreadItem): string {
  switch (item.type) {
    case "commandExecution":
      proves<Equal<typeof item, CommandItem>>();
      return item.command;
    case "agentMessage":
      return item.text;
    case "imageGeneration":
      return "result" in item ? item.result : item.fileId;
    default:
      // @ts-expect-error: the others have no command
      return item.command;
  }
}
proves<Equal<Extract<ThreadItem, { type: "commandExecution" }>, CommandExecutionThreadItem>>();

/** Notifications narrow by their method. */
export function onNotification(notification: ServerNotification): string {
  if (notification.method === "item/agentMessage/delta") return notification.params.delta;
  if (notification.method === "turn/completed") return notification.params.turn.status;
  return notification.method;
}
proves<
  Equal<ServerNotifications["turn/completed"]["turn"]["status"], "completed" | "interrupted" | "failed" | "inProgress">
>();
proves<
  Equal<
    ServerRequests["item/fileChange/requestApproval"]["result"]["decision"],
    "accept" | "acceptForSession" | "decline" | "cancel"
  >
>();

export const input: UserInput[] = [
  { type: "text", text: "hello" },
  { type: "image", url: "data:…" },
];
