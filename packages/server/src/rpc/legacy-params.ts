/** Earlier spellings of enumerated values, which old documents still use. */
const spellings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sandbox: { readOnly: "read-only", workspaceWrite: "workspace-write", dangerFullAccess: "danger-full-access" },
  approvalPolicy: { unlessTrusted: "untrusted", onRequest: "on-request", onFailure: "on-failure" },
};

/** Params in today's spelling; the same object where there is nothing to change. */
export function modernParams(params: unknown): unknown {
  if (typeof params !== "object" || params === null) return params;
  let changed: Record<string, unknown> | undefined;
  for (const [field, words] of Object.entries(spellings)) {
    const given = (params as Readonly<Record<string, unknown>>)[field];
    const word = typeof given === "string" && Object.hasOwn(words, given) ? words[given] : undefined;
    if (word !== undefined) changed = { ...(changed ?? params), [field]: word };
  }
  return changed ?? params;
}
