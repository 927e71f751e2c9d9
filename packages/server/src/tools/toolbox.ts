import type { DynamicToolSpec, ThreadBackgroundTerminal } from "@quire/protocol";
import type { ToolContext } from "../approval/tool-context.ts";
import { catalogueEntry, offlineModel } from "../config/catalogue.ts";
import type { EffectiveConfig } from "../config/effective-config.ts";
import { isSwitchedOn } from "../config/feature-flags.ts";
import type { ToolSpec } from "../model/model-provider.ts";
import type { DeferredNamespace } from "../prompt/prompt-source.ts";
import type { ToolCall } from "../record/tool-call.ts";
import type { TurnSettings } from "../record/turn-settings.ts";
import { isLocal } from "../run/environments/local-environment.ts";
import type { Launcher } from "../run/process/launcher.ts";
import { applyPatchTool } from "./apply-patch.ts";
import { DeferredTools, deferredGroup, toolSearchSpec, toolSearchTool } from "./deferred-tools.ts";
import { dynamicToolset } from "./dynamic-toolset.ts";
import { execCommandTool } from "./exec-command.ts";
import { requestPermissionsTool } from "./request-permissions.ts";
import { requestUserInputTool } from "./request-user-input.ts";
import type { Tool, ToolGroup } from "./tool.ts";
import type { OutputLimit } from "./truncate-output.ts";
import { updatePlanTool } from "./update-plan.ts";
import { viewImageTool } from "./view-image.ts";
import { webSearchSpec } from "./web-search.ts";
import type { ExecSettings } from "./workbench/exec-sessions.ts";
import type { UserCommand } from "./workbench/user-shell.ts";
import type { Workbench, WorkbenchOptions } from "./workbench/workbench.ts";
import { writeStdinTool } from "./write-stdin.ts";

/** Options of {@link createToolbox}. */
export interface ToolboxOptions {
  readonly threadId: string;
  readonly config: EffectiveConfig;
  readonly dynamicTools: readonly DynamicToolSpec[];
  /** Further tools without a namespace. */
  readonly tools?: readonly Tool[] | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Loads what confines commands. Default: they are not confined. */
  readonly launcher?: (() => Promise<Launcher>) | undefined;
  /** Looks up an environment other than this machine. */
  readonly elsewhere?: ExecSettings["elsewhere"];
  /** Namespaces from elsewhere: sub-agents, MCP servers. Called for each request, as servers come and go. */
  readonly groups?: (() => readonly ToolGroup[]) | undefined;
}

/** The tools of one thread. Its creator closes it. */
export interface Toolbox {
  /**
   * The offered tools, in a fixed order, so that the model's prompt cache holds.
   * @param liveSearch False when the hosted search was offered without live pages before.
   */
  specs(settings: TurnSettings, liveSearch?: boolean): ToolSpec[];
  /** The namespaces with tools that have to be searched for, by name. */
  deferredNamespaces(settings: TurnSettings): DeferredNamespace[];
  /** The offered tools that only read. */
  readOnlySpecs(settings: TurnSettings): ToolSpec[];
  /** The tool of a call; `undefined` when there is none. */
  find(call: ToolCall): Tool | undefined;
  /** The diff of a turn's patches; `undefined` when there were none. */
  turnDiff(turnId: string): string | undefined;
  /** Sends the diff of a turn's patches, if there were any, though not more than a few times a second. */
  sendDiff(turnId: string): void;
  /** Sends the diff if it has changed since it was sent, for the turn ends. */
  finishDiff(turnId: string): void;
  /** Commands that their calls left running. */
  readonly terminals: Terminals;
  /** Runs a command that the user typed, with all rights of the user. */
  runForUser(command: UserCommand, context: ToolContext): Promise<string>;
  /** Ends every command. Items are completed before it settles. */
  close(): Promise<void>;
}

interface Terminals {
  list(): ThreadBackgroundTerminal[];
  /** False for an unknown id. */
  terminate(processId: string): Promise<boolean>;
  clean(): Promise<void>;
}

/** Makes the tools of a thread. Starts nothing. */
export function createToolbox(options: ToolboxOptions): Toolbox {
  const { raw } = options.config;
  const limitFor = (model: string) => outputLimit(raw, model);
  const dynamic = dynamicToolset(options.dynamicTools, limitFor);
  const mayAskMore = isSwitchedOn(raw, "exec_permission_approvals");
  let workbench: Workbench | undefined;
  let loading: Promise<Workbench> | undefined;
  const load = () => {
    loading ??= openWorkbench(options, { limitFor, mayAskMore }).then((opened) => (workbench = opened));
    return loading;
  };
  const here: readonly Tool[] = [
    execCommandTool(async (...call) => (workbench ?? (await load())).execCommand(...call), mayAskMore),
    writeStdinTool(async (...call) => (workbench ?? (await load())).writeStdin(...call)),
    updatePlanTool,
    requestUserInputTool,
    requestPermissionsTool,
    applyPatchTool(async (...call) => (workbench ?? (await load())).applyPatch(...call), options.config),
    viewImageTool,
  ];
  const own = [...here, ...(options.tools ?? [])].filter(({ isOn }) => isOn?.(options.config) !== false);
  const groups = options.groups ?? (() => []);
  const waiting = () => groups().filter(({ deferred }) => deferred === true);
  const searchable = {
    native: new DeferredTools(() => [...dynamic.waiting, ...waiting().flatMap(deferredGroup)]),
    plain: dynamic.deferred,
    isNative: isKnown,
  };
  const { isSmall } = options.config;
  const offered = isSmall ? own.filter(({ essential }) => essential) : own;
  const offeredGroups = () => (isSmall ? groups().filter(({ dispensable }) => !dispensable) : groups());
  // Our own come first: a client's tool of the same name does not take their place.
  const all = [...own, ...dynamic.tools, toolSearchTool(searchable)];
  const ownByName = new Map(own.map((tool) => [tool.name, tool]));
  // Models that are offered none of ours that takes free text may be offered the client's, which is a function.
  const isClients = ({ name, kind }: ToolCall) =>
    kind === "function" && takesText(ownByName.get(name)) && dynamic.tools.some((tool) => tool.name === name);
  return {
    specs: (settings, liveSearch) => [
      ...specsOf(offered, settings),
      ...offeredGroups().flatMap(({ spec, deferred }) => (deferred && isKnown(settings.model) ? [] : spec)),
      ...dynamic.specs().filter(({ type, name }) => {
        const own = ownByName.get(name as string);
        return type === "namespace" || own === undefined || specFor(own, settings.model) === undefined;
      }),
      ...[toolSearchSpec(searchable, settings.model) ?? []].flat(),
      ...[webSearchSpec(raw, settings, { liveSearch, images: isKnown(settings.model) }) ?? []].flat(),
    ],
    deferredNamespaces: ({ model }) => (isKnown(model) ? searchable.native : searchable.plain).namespaces(),
    readOnlySpecs: (settings) =>
      specsOf(
        own.filter(({ readOnly }) => readOnly),
        settings,
      ),
    find: (call) => {
      const tools = [...(isClients(call) ? dynamic.tools : all), ...groups().flatMap(({ tools }) => tools)];
      return tools.find((tool) => isMeant(tool, call));
    },
    turnDiff: (turnId) => workbench?.turnDiff(turnId),
    sendDiff: (turnId) => workbench?.sendDiff(turnId),
    finishDiff: (turnId) => workbench?.finishDiff(turnId),
    terminals: {
      list: () => workbench?.sessions.list() ?? [],
      terminate: async (processId) => (await workbench?.sessions.terminate(processId)) ?? false,
      clean: async () => workbench?.sessions.clean(),
    },
    runForUser: async (command, context) => (await load()).runForUser(command, context),
    close: async () => (await loading)?.sessions.close(),
  };
}

async function openWorkbench(
  { config, launcher, ...options }: ToolboxOptions,
  limits: Pick<WorkbenchOptions, "limitFor" | "mayAskMore">,
): Promise<Workbench> {
  const [{ Workbench }, { secretVariables }, confine] = await Promise.all([
    import("./workbench/workbench.ts"),
    import("../run/process/secret-variables.ts"),
    launcher?.(),
  ]);
  const secrets = () => secretVariables(config);
  return new Workbench({ ...options, ...limits, raw: config.raw, launcher: confine, secretVariables: secrets });
}

const isMeant = ({ name, namespace }: Tool, call: ToolCall) => name === call.name && namespace === call.namespace;

/** The specs of tools that work in the thread's environment. */
function specsOf(tools: readonly Tool[], settings: TurnSettings): ToolSpec[] {
  const useful = tools.filter(({ needs }) => {
    if (needs === undefined || isLocal(settings)) return true;
    return needs === "commands" && settings.environment !== null;
  });
  return useful.flatMap((tool) => specFor(tool, settings.model) ?? []);
}

const specFor = ({ spec, knownSpec }: Tool, model: string) => (isKnown(model) ? (knownSpec ?? spec) : spec);

const takesText = (tool: Tool | undefined): boolean => (tool?.knownSpec ?? tool?.spec)?.type === "custom";

function isKnown(model: string): boolean {
  return catalogueEntry(model) !== undefined && model !== offlineModel;
}

/** The output for a call of an unknown tool. */
export function unsupportedCall({ kind, namespace, name }: ToolCall): string {
  return `unsupported ${kind === "custom" ? "custom tool call" : "call"}: ${namespace ?? ""}${name}`;
}

/** An unknown model may have little room. */
function outputLimit(raw: Readonly<Record<string, unknown>>, model: string): OutputLimit {
  const tokens = raw.tool_output_token_limit;
  const set = typeof tokens === "number" && tokens > 0 ? tokens : undefined;
  if (isKnown(model)) return { unit: "tokens", limit: set ?? 10_000 };
  return { unit: "chars", limit: set === undefined ? 10_000 : set * 4 };
}
