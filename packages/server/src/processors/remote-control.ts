import type { RpcError } from "@quire/jsonrpc";
import type { Handlers } from "../context/processor.ts";
import { remoteControlStatus } from "../context/remote-control-status.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";

/** Remote control is always off; methods that need it are refused as Codex does without a login. */
export const handlers: Handlers = {
  "remoteControl/status/read": (_, { server }) => remoteControlStatus(server),
  "remoteControl/enable": () => refuse(needsAccount()),
  "remoteControl/disable": () => refuse(needsAccount()),
  "remoteControl/client/list": () => refuse(needsAccount()),
  "remoteControl/client/revoke": () => refuse(needsAccount()),
  "remoteControl/pairing/start": () => refuse(needsEnabling()),
  "remoteControl/pairing/status": () => refuse(needsEnabling()),
};

const needsAccount = () => invalidRequest("remote control requires ChatGPT authentication");
const needsEnabling = () => invalidRequest("remote control pairing requires remote control to be enabled");

function refuse(error: RpcError): never {
  throw error;
}
