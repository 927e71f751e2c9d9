import type { MethodName } from "@quire/protocol/methods";

/** A note on a method that no scenario can show. */
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
const older = absent(
  "Asked in conversations (`newConversation`), which neither this server nor Codex since 0.118 can begin; threads ask by `item/*/requestApproval`.",
);
const memories = differs("No memories are made of threads.");

/** Methods that no scenario decides over, and what is to be said of them. */
export const methodNotes: { readonly [M in MethodName]?: MethodNote } = {
  "account/chatgptAuthTokens/refresh": issuer,
  "app/list": differs(
    "Lists the account's directory; no app is accessible, for their tools are services of the vendor.",
  ),
  "app/list/updated": same("Tested against a local directory of apps."),
  applyPatchApproval: older,
  "autoApprovalReview/strictReviewRequired": absent(
    "Said where the vendor's risk classifier, which may spare an action its review, does not do so; here no action is spared.",
  ),
  "config/batchWrite": files,
  "config/read": differs("Keys that only Codex has are left out unless they are set."),
  "config/value/write": files,
  execCommandApproval: older,
  "experimentalFeature/list": differs("Lists the switches that this server looks at."),
  "feedback/save": differs("Writes a bundle without secrets to the disk."),
  "feedback/upload": differs("Writes a bundle without secrets to the disk; nothing leaves the machine."),
  "item/fileChange/outputDelta": better(
    "Sent as by Codex 0.98 and 0.118; 0.166 has it in its protocol and never sends it.",
  ),
  "item/mcpToolCall/progress": servers,
  "mcpServer/elicitation/request": servers,
  "mcpServer/event/stream/notification": better(
    "Events of any MCP server that offers them, tested with one; Codex knows those of its vendor's apps alone.",
  ),
  "mcpServer/oauthLogin/completed": same("Tested against a local MCP server that asks for a login."),
  "memory/status": memories,
  "model/list": differs("Lists the offline model as well, and models of the catalogue that this server knows."),
  "server/diagnostics": same("Figures of the process; their names are compared."),
  "skills/config/write": same("Tested by switching skills off and on."),
  "thread/closed": same("Told when a thread is unloaded that nobody listens to for half an hour."),
  "thread/compacted": better("Sent as by Codex 0.98 and 0.118, beside the item; 0.166 sends the item alone."),
  "thread/decrement_elicitation": same("Tested with commands whose time stands still."),
  "thread/increment_elicitation": same("Tested with commands whose time stands still."),
  "thread/memory/read": memories,
  "thread/memoryMode/set": same("Codex, which makes memories, finds the mode in the rollout."),
  "thread/prediction/request": better("The model is asked; Codex 0.166 answers that it does not implement this yet."),
  "thread/prediction/updated": better(
    "Sent with what the model says; Codex 0.166 has it in its protocol and never sends it.",
  ),
  "turn/settings/update": better("Any model can be switched to, not only those of a catalogue."),
  "windows/worldWritableWarning": absent(
    "Warns of folders that Codex's sandbox for Windows cannot protect; there is none for Windows here.",
  ),
};
