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
const vendor = absent("Told by a service of the vendor.");

/** Methods that no scenario decides over, and what is to be said of them. */
export const methodNotes: { readonly [M in MethodName]?: MethodNote } = {
  "account/bedrock/setup": differs("Requests are not signed for Amazon Bedrock; the answer says what to do instead."),
  "account/chatgptAuthTokens/refresh": issuer,
  "account/gatewayOAuth/changed": vendor,
  "account/login/cancel": issuer,
  "account/login/completed": issuer,
  "account/logout": issuer,
  "account/updated": issuer,
  "app/list/updated": vendor,
  "attestation/generate": absent("Only the vendor's own apps attest to themselves."),
  "autoApprovalReview/strictReviewRequired": vendor,
  configWarning: differs(
    "What is wrong with a configuration is told to whoever uses it, in the reply or as a warning of the thread.",
  ),
  deprecationNotice: differs("Nothing that is served is deprecated."),
  "remoteControl/status/changed": absent("Remote control is a service of the vendor."),
  "rollout/compress": differs("Rollouts stay text that can be read at any time."),
  "thread/memory/read": differs("No memories are made of threads."),
  "thread/memoryMode/set": differs("No memories are made of threads, so that there is nothing to switch."),
  "memory/status": differs("No memories are made of threads."),
  "thread/prediction/request": same("Codex has the method and no more than that."),
  "thread/prediction/updated": absent("Codex never sends it."),
  "thread/rollback": better("Still works, for clients of earlier versions."),
  "thread/realtime/sdp": absent("A voice is reached over a WebSocket, not over WebRTC."),
  "turn/settings/update": better("Any model can be switched to, not only those of a catalogue."),
  "windows/worldWritableWarning": absent("Only Windows has it."),
};
