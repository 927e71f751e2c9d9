import type { SandboxMode } from "@quire/protocol";

const modes: ReadonlyMap<string, SandboxMode> = new Map([
  [":read-only", "read-only"],
  [":workspace", "workspace-write"],
  [":danger-full-access", "danger-full-access"],
]);

/** The names, from the least to the most that is allowed. */
export const permissionProfiles: readonly string[] = [...modes.keys()];

/** The sandbox of a profile; `undefined` for one that is not known. */
export function profileMode(id: string): SandboxMode | undefined {
  return modes.get(id);
}

/** The error for an unknown profile, with the remedy. */
export function unknownProfile(id: string): string {
  return `\`${id}\` is no permission profile of this server: use ${permissionProfiles.join(", ")}, or a sandbox policy`;
}
