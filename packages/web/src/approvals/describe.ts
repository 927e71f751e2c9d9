import {
  type AdditionalPermissionProfile,
  type FileChange,
  type FileSystemPath,
  type FileUpdateChange,
  shellScript,
  type ThreadItem,
  visibleHost,
} from "@quire/protocol";
import type { PendingRequest } from "../state/model.ts";
import { askedOf, metaOf } from "./request-kind.ts";

/** One thing beyond the usual that is asked for. */
export interface Ask {
  readonly kind: "network" | "write" | "read";
  readonly text: string;
  /** The folder or file it is about, which ends the sentence. */
  readonly path?: string | undefined;
  /** For how long. */
  readonly until?: string | undefined;
}

/** A question in words. */
export interface Description {
  readonly title: string;
  readonly reason: string | null;
  readonly command: string | null;
  /** The command line of the program that is typed into. */
  readonly program: string | null;
  readonly cwd: string | null;
  readonly asks: readonly Ask[];
  readonly changes: readonly FileUpdateChange[];
  /** Data that is shown as it is. */
  readonly data: unknown;
}

const plain: Description = {
  title: "",
  reason: null,
  command: null,
  program: null,
  cwd: null,
  asks: [],
  changes: [],
  data: undefined,
};

/** Says what a question asks. `item` is the one it is about: only that one has the changes of a patch. */
export function describe(request: PendingRequest, item: ThreadItem | undefined): Description {
  const asked = askedOf(request);
  switch (asked.kind) {
    case "command": {
      const { params } = asked;
      const host = params.networkApprovalContext;
      const writesInput = params.kind === "writeStdin";
      const running = item?.type === "commandExecution" ? item.command : null;
      const command = params.command ?? (writesInput ? null : running);
      const seen = host ? visibleHost(host.host) : undefined;
      return {
        ...plain,
        title: seen ? `Reach ${seen.text}?` : writesInput ? "Type this into a running program?" : "Run this command?",
        reason: params.reason ?? null,
        command: command === null ? null : writesInput ? command : shellScript(command),
        program: writesInput && running !== null ? shellScript(running) : null,
        cwd: params.cwd ?? null,
        asks: [
          ...(host ? [{ kind: "network" as const, text: `Network: ${host.host} (${host.protocol})` }] : []),
          ...(seen?.hint === undefined ? [] : [{ kind: "network" as const, text: `Careful: ${seen.hint}` }]),
          ...permissionAsks(params.additionalPermissions),
        ],
      };
    }
    case "fileChange": {
      const { grantRoot, reason } = asked.params;
      const changes = item?.type === "fileChange" ? item.changes : [];
      return { ...plain, title: filesTitle(changes), reason: reason ?? null, asks: rootAsk(grantRoot), changes };
    }
    case "permissions":
      return {
        ...plain,
        title: "Give more permissions?",
        reason: asked.params.reason ?? null,
        cwd: asked.params.cwd ?? null,
        asks: permissionAsks(asked.params.permissions),
      };
    case "legacyCommand":
      return {
        ...plain,
        title: "Run this command?",
        reason: asked.params.reason ?? null,
        command: asked.params.command.join(" "),
        cwd: asked.params.cwd,
      };
    case "legacyPatch": {
      const changes = Object.entries(asked.params.fileChanges).map(([path, change]) => modernChange(path, change));
      const { grantRoot, reason } = asked.params;
      return { ...plain, title: filesTitle(changes), reason: reason ?? null, asks: rootAsk(grantRoot), changes };
    }
    case "questions": {
      const { questions } = asked.params;
      return { ...plain, title: questions.length === 1 ? "The agent asks you" : "The agent asks you some questions" };
    }
    case "toolApproval": {
      const { tool_description: about, tool_params: data } = metaOf(asked.params);
      const reason = typeof about === "string" ? about : null;
      return { ...plain, title: asked.params.message, reason, data };
    }
    case "elicitation": {
      const { params } = asked;
      return {
        ...plain,
        title: `${params.serverName} asks you`,
        reason: "message" in params ? params.message : `${params.title}: ${params.description}`,
      };
    }
    case "toolCall": {
      const { tool, namespace, arguments: data } = asked.params;
      const name = namespace ? `${namespace}.${tool}` : tool;
      return { ...plain, title: `The agent calls ${name}`, reason: "No program answers for this tool: you can.", data };
    }
    case "unknown":
      return { ...plain, title: `The server asks ${request.method}`, data: asked.params };
  }
}

function permissionAsks(profile: AdditionalPermissionProfile | null | undefined): readonly Ask[] {
  const files = profile?.fileSystem;
  return [
    ...(profile?.network?.enabled === true ? [{ kind: "network" as const, text: "Use the network" }] : []),
    ...(files?.write ?? []).map((path) => ({ kind: "write" as const, text: "Write in", path })),
    ...(files?.read ?? []).map((path) => ({ kind: "read" as const, text: "Read", path })),
    ...(files?.entries ?? []).map(({ access, path }) => ({
      kind: access === "write" ? ("write" as const) : ("read" as const),
      text: { write: "Write in", read: "Read", deny: "Keep out of" }[access] ?? access,
      path: pathText(path),
    })),
  ];
}

function pathText(path: FileSystemPath): string {
  if (path.type === "path") return path.path;
  if (path.type === "glob_pattern") return path.pattern;
  const { value } = path;
  const names = { root: "everything", minimal: "system files", tmpdir: "the temporary folder", slash_tmp: "/tmp" };
  if (value.kind === "project_roots") return `the project${value.subpath ? `: ${value.subpath}` : ""}`;
  return value.kind === "unknown" ? value.path : names[value.kind];
}

const rootAsk = (root: string | null | undefined): readonly Ask[] =>
  root ? [{ kind: "write", text: "Write in", path: root, until: "for the rest of the session" }] : [];

function filesTitle(changes: readonly FileUpdateChange[]): string {
  if (changes.length === 0) return "Change files?";
  return changes.length === 1 ? "Change this file?" : `Change these ${changes.length} files?`;
}

function modernChange(path: string, change: FileChange): FileUpdateChange {
  if (change.type !== "update") return { path, kind: { type: change.type }, diff: change.content };
  return { path, kind: { type: "update", move_path: change.move_path ?? null }, diff: change.unified_diff };
}
