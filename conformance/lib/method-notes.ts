import type { MethodName } from "@quire/protocol/methods";

/** What a scenario cannot show of a method. */
export interface MethodNote {
  readonly verdict: "same" | "better" | "differs" | "absent";
  readonly why: string;
}

const same = (why: string): MethodNote => ({ verdict: "same", why });
const better = (why: string): MethodNote => ({ verdict: "better", why });
const differs = (why: string): MethodNote => ({ verdict: "differs", why });
const absent = (why: string): MethodNote => ({ verdict: "absent", why });

const issuer = same("Tested against a local OAuth server.");
const servers = same("Tested with MCP servers that run, fail and misbehave.");
const files = same("Tested with files that others edit at the same time.");
const vendor = absent("Told by services of the vendor alone.");
const older = absent("Of the protocol before threads; Codex asks by other methods since.");
const memories = differs("No memories are made of threads.");

/** Methods that no scenario decides over, and what is to be said of them. */
export const methodNotes: { readonly [M in MethodName]?: MethodNote } = {
  "account/bedrock/setup": differs("Requests are not signed for Amazon Bedrock; the answer says what to do instead."),
  "account/chatgptAuthTokens/refresh": issuer,
  "account/gatewayOAuth/changed": vendor,
  "app/list": differs(
    "Lists the account's directory; no app is accessible, for their tools are services of the vendor.",
  ),
  "app/list/updated": same("Tested against a local directory of apps."),
  applyPatchApproval: older,
  "attestation/generate": absent("Only the vendor's own apps attest to themselves."),
  "autoApprovalReview/strictReviewRequired": vendor,
  "config/batchWrite": files,
  "config/read": differs("Keys that only Codex has are left out unless they are set."),
  "config/value/write": files,
  "currentTime/read": absent(
    "Asked for a reminder of the time that is off unless a feature under development is on; there is none here.",
  ),
  execCommandApproval: older,
  "experimentalFeature/list": differs("Lists the switches that this server looks at."),
  "feedback/save": differs("Writes a bundle without secrets to the disk."),
  "feedback/upload": differs("Writes a bundle without secrets to the disk; nothing leaves the machine."),
  "item/fileChange/outputDelta": absent("A patch has no output while it is applied, in Codex either."),
  "item/mcpToolCall/progress": servers,
  "mcpServer/elicitation/request": servers,
  "mcpServer/event/stream/notification": vendor,
  "mcpServer/oauthLogin/completed": same("Tested against a local MCP server that asks for a login."),
  "memory/status": memories,
  "model/list": differs("Lists the offline model as well, and models of the catalogue that this server knows."),
  "model/safetyBuffering/updated": vendor,
  "modelProvider/authRecoveryCompleted": vendor,
  "modelProvider/authRecoveryStarted": vendor,
  "remoteControl/status/changed": absent("Remote control is a service of the vendor."),
  "server/diagnostics": same("Figures of the process; their names are compared."),
  "skills/config/write": same("Tested by switching skills off and on."),
  "thread/closed": same("Told when a thread is unloaded that nobody listens to for half an hour."),
  "thread/compacted": absent("Codex 0.166 shows an item in its place."),
  "thread/decrement_elicitation": same("Tested with commands whose time stands still."),
  "thread/environment/connected": absent(
    "Commands run on this machine; an environment elsewhere is known, and not run in.",
  ),
  "thread/environment/disconnected": absent(
    "Commands run on this machine; an environment elsewhere is known, and not run in.",
  ),
  "thread/increment_elicitation": same("Tested with commands whose time stands still."),
  "thread/memory/read": memories,
  "thread/memoryMode/set": same("Codex, which makes memories, finds the mode in the rollout."),
  "thread/prediction/request": same("Codex has the method and no more than that."),
  "thread/prediction/updated": absent("Codex never sends it."),
  "thread/realtime/sdp": absent("A voice is reached over a WebSocket, not over WebRTC."),
  "turn/settings/update": better("Any model can be switched to, not only those of a catalogue."),
  "windows/worldWritableWarning": absent("Only Windows has it."),
};
