import type { Scenario } from "../lib/scenario.ts";
import { approvals } from "./approval/approvals.ts";
import { approvalsClients } from "./approval/clients.ts";
import { confinedApprovals } from "./approval/confined.ts";
import { approvalsExact } from "./approval/exact.ts";
import { guardian } from "./approval/guardian.ts";
import { approvalsInput } from "./approval/input.ts";
import { approvalsPrograms } from "./approval/programs.ts";
import { sandbox } from "./approval/sandbox.ts";
import { commandLines } from "./commands/command-lines.ts";
import { commandLinesMore } from "./commands/command-lines-more.ts";
import { commands } from "./commands/commands.ts";
import { environments } from "./commands/environments.ts";
import { commandsExec } from "./commands/exec.ts";
import { experimental } from "./connection/experimental.ts";
import { gateway } from "./connection/gateway.ts";
import { handshake } from "./connection/handshake.ts";
import { host } from "./connection/host.ts";
import { ids } from "./connection/ids.ts";
import { limits } from "./connection/limits.ts";
import { pythonSdk } from "./connection/python-sdk.ts";
import { requests } from "./connection/requests.ts";
import { transports } from "./connection/transports.ts";
import { fileSearch } from "./files/file-search.ts";
import { files } from "./files/files.ts";
import { gitScenarios } from "./files/git.ts";
import { patches } from "./files/patches.ts";
import { account } from "./model/account.ts";
import { bedrock } from "./model/bedrock.ts";
import { modelErrors } from "./model/model-errors.ts";
import { providers } from "./model/providers.ts";
import { configWarnings } from "./setup/config-warnings.ts";
import { dynamicTools } from "./setup/dynamic-tools.ts";
import { hooks } from "./setup/hooks.ts";
import { hooksMcp } from "./setup/hooks-mcp.ts";
import { mcp } from "./setup/mcp.ts";
import { plugins } from "./setup/plugins.ts";
import { settings } from "./setup/settings.ts";
import { skills } from "./setup/skills.ts";
import { trust } from "./setup/trust.ts";
import { compaction } from "./thread/compaction.ts";
import { goals } from "./thread/goals.ts";
import { history } from "./thread/history.ts";
import { lifecycle } from "./thread/lifecycle.ts";
import { listing } from "./thread/listing.ts";
import { queue } from "./thread/queue.ts";
import { threadStart } from "./thread/start.ts";
import { stored } from "./thread/stored.ts";
import { subscriptions } from "./thread/subscriptions.ts";
import { userState } from "./thread/user-state.ts";
import { agents } from "./turn/agents.ts";
import { approvedPlans } from "./turn/approved-plans.ts";
import { input } from "./turn/input.ts";
import { plans } from "./turn/plans.ts";
import { realtime } from "./turn/realtime.ts";
import { review } from "./turn/review.ts";
import { steering } from "./turn/steering.ts";
import { time } from "./turn/time.ts";
import { turns } from "./turn/turns.ts";

/** All scenarios, in the order of the table. */
export const scenarios: readonly Scenario[] = [
  ...handshake,
  ...configWarnings,
  ...trust,
  ...transports,
  ...requests,
  ...ids,
  ...threadStart,
  ...turns,
  ...time,
  ...input,
  ...commands,
  ...steering,
  ...modelErrors,
  ...approvals,
  ...approvalsClients,
  ...confinedApprovals,
  ...approvalsExact,
  ...approvalsInput,
  ...approvalsPrograms,
  ...sandbox,
  ...agents,
  ...guardian,
  ...patches,
  ...plans,
  ...approvedPlans,
  ...dynamicTools,
  ...compaction,
  ...listing,
  ...history,
  ...lifecycle,
  ...stored,
  ...settings,
  ...subscriptions,
  ...commandsExec,
  ...files,
  ...fileSearch,
  ...gitScenarios,
  ...limits,
  ...userState,
  ...goals,
  ...queue,
  ...host,
  ...hooksMcp,
  ...hooks,
  ...skills,
  ...plugins,
  ...mcp,
  ...experimental,
  ...realtime,
  ...account,
  ...gateway,
  ...providers,
  ...bedrock,
  ...environments,
  ...review,
  ...pythonSdk,
  ...commandLines,
  ...commandLinesMore,
];
