import type { AnyHandler, Handlers } from "../context/processor.ts";

type Loader = () => Promise<{ readonly handlers: Handlers }>;

/** Processors by the first word of a method, loaded on first use, so that a start costs nothing for unused ones. */
const groups: ReadonlyMap<string, Loader> = new Map(
  Object.entries<Loader>({
    thread: () => import("./thread/index.ts"),
    turn: () => import("./turn.ts"),
    threadSection: () => import("./sections.ts"),
    project: () => import("./projects.ts"),
    modelProvider: () => import("./model-providers.ts"),
    server: () => import("./server-info.ts"),
    windowsSandbox: () => import("./server-info.ts"),
    remoteControl: () => import("./remote-control.ts"),
    feedback: () => import("./feedback.ts"),
    model: () => import("./model.ts"),
    review: () => import("./review.ts"),
    command: () => import("./command.ts"),
    process: () => import("./process.ts"),
    fs: () => import("./fs.ts"),
    fuzzyFileSearch: () => import("./file-search.ts"),
    gitDiffToRemote: () => import("./git.ts"),
    getConversationSummary: () => import("./conversation-summary.ts"),
    config: () => import("./config.ts"),
    configRequirements: () => import("./config.ts"),
    skills: () => import("./skills.ts"),
    hooks: () => import("./hooks.ts"),
    collaborationMode: () => import("./features.ts"),
    permissionProfile: () => import("./features.ts"),
    experimentalFeature: () => import("./features.ts"),
    externalAgentConfig: () => import("./external-agent.ts"),
    app: () => import("./features.ts"),
    plugin: () => import("./plugins.ts"),
    marketplace: () => import("./plugins.ts"),
    account: () => import("./account.ts"),
    mcpServer: () => import("./mcp.ts"),
    mcpServerStatus: () => import("./mcp.ts"),
    accountSession: () => import("./cloud-only.ts"),
    userVerification: () => import("./cloud-only.ts"),
    memory: () => import("./cloud-only.ts"),
    mock: () => import("./cloud-only.ts"),
    rollout: () => import("./rollout.ts"),
    environment: () => import("./environment.ts"),
    getAuthStatus: () => import("./account.ts"),
  }),
);

/** The handlers of a method's group; `undefined` where no processor has that word. */
export async function loadHandlers(method: string): Promise<ReadonlyMap<string, AnyHandler>> {
  const load = groups.get(method.split("/", 1)[0] ?? "");
  if (load === undefined) return new Map();
  const { handlers } = await load();
  return new Map(Object.entries(handlers)) as ReadonlyMap<string, AnyHandler>;
}
