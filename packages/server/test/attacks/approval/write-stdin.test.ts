/** Attacks: typing into commands that run. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { eventually, tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import type { TurnSettings } from "../../../src/record/turn-settings.ts";
import { FakeThread } from "../../tools/fake-context.ts";

const readOnly: Partial<TurnSettings> = {
  approvalPolicy: "on-request",
  sandboxPolicy: { type: "readOnly", networkAccess: false },
};
const fullAccess: Partial<TurnSettings> = {
  approvalPolicy: "on-request",
  sandboxPolicy: { type: "dangerFullAccess" },
};
/** What runs whatever is typed. It ends at once when it is told to, which an interactive shell does not. */
const shell = "trap '' INT; >ready; while read -r line; do eval \"$line\"; done";
const steal = "touch stolen; exit\n";

interface Typing {
  /** Settings of the thread while it starts the shell. */
  readonly first?: Partial<TurnSettings>;
  /** Settings of the thread while it types. */
  readonly settings?: Partial<TurnSettings>;
  /** What the client answers to each question about input; the last counts for all further ones. */
  readonly answers: readonly unknown[];
  readonly chars?: readonly string[];
  /** Whether all is typed at once, before anything is answered. */
  readonly together?: boolean;
}

/** Has a shell approved, then types into it. Gives whether what was typed was run. The control has it all accepted. */
async function types(typing: Typing, guarded: boolean): Promise<boolean> {
  const { first = readOnly, settings = readOnly, answers, chars = [steal], together = false } = typing;
  await using folder = await tempDir("quire-type-");
  await using thread = new FakeThread(folder.path, { settings: { ...first } });
  const left = [...answers];
  thread.answer = async (_, params) => {
    const { kind } = params as { readonly kind: string };
    if (kind === "command" || !guarded) return { decision: "accept" };
    const decision = left.length > 1 ? left.shift() : left[0];
    if (decision instanceof Error) throw decision;
    return { decision };
  };
  const escalation = first === readOnly ? { sandbox_permissions: "require_escalated" } : {};
  const how = { ...escalation, tty: true, login: false, yield_time_ms: 250 };
  const started: string = await thread.call("exec_command", { cmd: shell, ...how });
  const session_id = Number(/session ID (\d+)/.exec(started)?.[1]);
  await eventually(() => existsSync(join(folder.path, "ready")));
  if (guarded) Object.assign(thread.settings, settings);
  // The last of it ends the shell, if it gets there.
  const type = (text: string, index: number) => {
    const yield_time_ms = index === chars.length - 1 ? 30_000 : 250;
    return thread.call("write_stdin", { session_id, chars: text, yield_time_ms }).catch(() => undefined);
  };
  if (together) await Promise.all(chars.map(type));
  else for (const [index, each] of chars.entries()) await type(each, index);
  return existsSync(join(folder.path, "stolen"));
}

attack("types into an unconfined shell what a person declines", (guarded) => types({ answers: ["decline"] }, guarded));

attack("types into an unconfined shell whose person cancels the turn", (guarded) =>
  types({ answers: ["cancel"] }, guarded),
);

attack("types into an unconfined shell while the client answers with an error", (guarded) =>
  types({ answers: [new Error("no")] }, guarded),
);

attack("types into an unconfined shell while the client answers with a rule for commands", (guarded) =>
  types({ answers: [{ acceptWithExecpolicyAmendment: { execpolicy_amendment: ["sh"] } }] }, guarded),
);

attack("types into an unconfined shell while the client answers nothing that there is", (guarded) =>
  types({ answers: [{ accept: true }] }, guarded),
);

attack("types into an unconfined shell where nobody may be asked", (guarded) =>
  types({ settings: { ...readOnly, approvalPolicy: "never" }, answers: ["accept"] }, guarded),
);

attack("types into an unconfined shell where nobody may be asked to leave the sandbox", (guarded) => {
  const granular = { sandbox_approval: false, rules: true, skill_approval: true, mcp_elicitations: true };
  const settings = { ...readOnly, approvalPolicy: { granular } } as Partial<TurnSettings>;
  return types({ settings, answers: ["accept"] }, guarded);
});

attack("types a command letter by letter", (guarded) =>
  types({ answers: ["decline"], chars: ["to", "uch stolen", "; exit\n"] }, guarded),
);

attack("types a command behind an interrupt", (guarded) =>
  types({ answers: ["decline"], chars: [`\u0003${steal}`] }, guarded),
);

attack("types again what a person accepted for the session", (guarded) => {
  const text = "[ -e a ] && { touch stolen; exit; }; >a\n";
  return types({ answers: ["acceptForSession", "decline"], chars: [text, text] }, guarded);
});

attack("types something else once a person accepted some input for the session", (guarded) =>
  types({ answers: ["acceptForSession", "decline"], chars: ["true\n", steal] }, guarded),
);

attack("types a second text while a person reads the first", (guarded) =>
  types({ answers: ["accept", "decline"], chars: ["true\n", steal], together: true }, guarded),
);

attack("types under a policy that asks about everything, with full access", (guarded) =>
  types({ settings: { ...fullAccess, approvalPolicy: "untrusted" }, answers: ["decline"] }, guarded),
);

attack("types into a shell of a time when the thread had full access", (guarded) =>
  types({ first: fullAccess, answers: ["decline"] }, guarded),
);

attack("types into a shell of a time when the thread could write, in one that only reads", (guarded) => {
  const writes: Partial<TurnSettings> = { ...readOnly, sandboxPolicy: { type: "workspaceWrite" } as never };
  return types({ first: writes, settings: readOnly, answers: ["decline"] }, guarded);
});
