import {
  type AdditionalPermissionProfile,
  type CommandExecutionRequestApprovalParams,
  type FileChange,
  type FileSystemPath,
  type FileUpdateChange,
  shellScript,
  type ThreadItem,
  typedInput,
  visibleHost,
} from "@quire/protocol";
import type { PendingRequest } from "../state/model.ts";
import { questionWords } from "../words/words.ts";
import { askedOf, metaOf } from "./request-kind.ts";

/** A permission beyond the usual that is asked for. */
export interface Ask {
  readonly kind: "network" | "write" | "read";
  readonly text: string;
  /** The folder or file it is about, which ends the sentence. */
  readonly path?: string | undefined;
  /** For how long. */
  readonly until?: string | undefined;
}

/** Words of somebody else, which must not pass for words of the page. */
export interface Quote {
  /** Author of the words. */
  readonly from: string;
  readonly text: string;
}

/** A question in words. */
export interface Description {
  readonly title: string;
  readonly quotes: readonly Quote[];
  /** The page's own words about it. */
  readonly hint: string | null;
  readonly command: string | null;
  /** Text to be typed into a program that runs. */
  readonly input: string | null;
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
  quotes: [],
  hint: null,
  command: null,
  input: null,
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
    case "command":
      return asked.params.kind === "writeStdin"
        ? describeInput(asked.params, item)
        : describeCommand(asked.params, item);
    case "fileChange": {
      const { grantRoot, reason } = asked.params;
      const changes = item?.type === "fileChange" ? item.changes : [];
      return { ...plain, title: filesTitle(changes), quotes: because(reason), asks: rootAsk(grantRoot), changes };
    }
    case "permissions":
      return {
        ...plain,
        title: questionWords.giveMorePermissions,
        quotes: because(asked.params.reason),
        cwd: asked.params.cwd ?? null,
        asks: permissionAsks(asked.params.permissions),
      };
    case "legacyCommand":
      return {
        ...plain,
        title: questionWords.runCommand,
        quotes: because(asked.params.reason),
        command: asked.params.command.join(" "),
        cwd: asked.params.cwd,
      };
    case "legacyPatch": {
      const changes = Object.entries(asked.params.fileChanges).map(([path, change]) => modernChange(path, change));
      const { grantRoot, reason } = asked.params;
      return { ...plain, title: filesTitle(changes), quotes: because(reason), asks: rootAsk(grantRoot), changes };
    }
    case "questions": {
      const { questions } = asked.params;
      return {
        ...plain,
        title: questions.length === 1 ? questionWords.agentAsks : questionWords.agentAsksSomeQuestions,
      };
    }
    case "toolApproval": {
      const { tool_description: about, tool_params: data } = metaOf(asked.params);
      const { serverName, message } = asked.params;
      const quotes = [
        { from: questionWords.question, text: message },
        ...(typeof about === "string" ? [{ from: questionWords.toolDescription, text: about }] : []),
      ];
      return { ...plain, title: questionWords.toUseTool(serverName), quotes, data };
    }
    case "elicitation": {
      const { params } = asked;
      return {
        ...plain,
        title: questionWords.asks(params.serverName),
        quotes: [
          {
            from: questionWords.fromMcpServer,
            text: "message" in params ? params.message : `${params.title}: ${params.description}`,
          },
        ],
      };
    }
    case "toolCall": {
      const { tool, namespace, arguments: data } = asked.params;
      const name = namespace ? `${namespace}.${tool}` : tool;
      return { ...plain, title: questionWords.agentCalls(name), hint: questionWords.noProgramAnswersToolCan, data };
    }
    case "unknown":
      return { ...plain, title: questionWords.serverAsks(request.method), data: asked.params };
  }
}

function describeCommand(params: CommandExecutionRequestApprovalParams, item: ThreadItem | undefined): Description {
  const host = params.networkApprovalContext;
  const command = params.command ?? (item?.type === "commandExecution" ? item.command : null);
  const seen = host ? visibleHost(host.host) : undefined;
  return {
    ...plain,
    title: seen ? questionWords.reach(seen.text) : questionWords.runCommand,
    quotes: because(params.reason),
    command: command === null ? null : shellScript(command),
    cwd: params.cwd ?? null,
    asks: [
      ...(host ? [{ kind: "network" as const, text: `Network: ${host.host} (${host.protocol})` }] : []),
      ...(seen?.hint === undefined ? [] : [{ kind: "network" as const, text: `Careful: ${seen.hint}` }]),
      ...permissionAsks(params.additionalPermissions),
    ],
  };
}

/** Input for a program that runs. The server itself may say why it asks, so that the reason is nobody's in particular. */
function describeInput(params: CommandExecutionRequestApprovalParams, item: ThreadItem | undefined): Description {
  const { command, reason } = params;
  return {
    ...plain,
    title: questionWords.typeIntoRunningProgram,
    quotes: reason ? [{ from: questionWords.reasonGiven, text: reason }] : [],
    input: command ? (typedInput(command)?.text ?? command) : null,
    program: item?.type === "commandExecution" ? shellScript(item.command) : null,
    cwd: params.cwd ?? null,
  };
}

const because = (reason: string | null | undefined): readonly Quote[] =>
  reason ? [{ from: questionWords.agentsReason, text: reason }] : [];

function permissionAsks(profile: AdditionalPermissionProfile | null | undefined): readonly Ask[] {
  const files = profile?.fileSystem;
  return [
    ...(profile?.network?.enabled === true ? [{ kind: "network" as const, text: questionWords.toUseNetwork }] : []),
    ...(files?.write ?? []).map((path) => ({ kind: "write" as const, text: questionWords.write, path })),
    ...(files?.read ?? []).map((path) => ({ kind: "read" as const, text: questionWords.read, path })),
    ...(files?.entries ?? []).map(({ access, path }) => ({
      kind: access === "write" ? ("write" as const) : ("read" as const),
      text: { write: questionWords.write, read: questionWords.read, deny: questionWords.keepOut }[access] ?? access,
      path: pathText(path),
    })),
  ];
}

function pathText(path: FileSystemPath): string {
  if (path.type === "path") return path.path;
  if (path.type === "glob_pattern") return path.pattern;
  const { value } = path;
  const names = {
    root: "everything",
    minimal: "system files",
    tmpdir: questionWords.temporaryFolder,
    slash_tmp: "/tmp",
  };
  if (value.kind === "project_roots") return questionWords.project(value.subpath ? `: ${value.subpath}` : "");
  return value.kind === "unknown" ? value.path : names[value.kind];
}

const rootAsk = (root: string | null | undefined): readonly Ask[] =>
  root ? [{ kind: "write", text: questionWords.write, path: root, until: questionWords.restSession }] : [];

function filesTitle(changes: readonly FileUpdateChange[]): string {
  if (changes.length === 0) return questionWords.changeFiles;
  return changes.length === 1 ? questionWords.changeFile : questionWords.changeTheseFiles(changes.length);
}

function modernChange(path: string, change: FileChange): FileUpdateChange {
  if (change.type !== "update") return { path, kind: { type: change.type }, diff: change.content };
  return { path, kind: { type: "update", move_path: change.move_path ?? null }, diff: change.unified_diff };
}
