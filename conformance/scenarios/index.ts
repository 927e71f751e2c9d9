import type { Scenario } from "../lib/scenario.ts";
import { account } from "./account.ts";
import { agents } from "./agents.ts";
import { approvals } from "./approvals.ts";
import { approvalsExact } from "./approvals-exact.ts";
import { approvalsInput } from "./approvals-input.ts";
import { approvalsPrograms } from "./approvals-programs.ts";
import { approvedPlans } from "./approved-plans.ts";
import { bedrock } from "./bedrock.ts";
import { commandLines } from "./command-lines.ts";
import { commandLinesMore } from "./command-lines-more.ts";
import { commands } from "./commands.ts";
import { commandsExec } from "./commands-exec.ts";
import { compaction } from "./compaction.ts";
import { configWarnings } from "./config-warnings.ts";
import { dynamicTools } from "./dynamic-tools.ts";
import { environments } from "./environments.ts";
import { experimental } from "./experimental.ts";
import { fileSearch } from "./file-search.ts";
import { files } from "./files.ts";
import { gateway } from "./gateway.ts";
import { gitScenarios } from "./git.ts";
import { goals } from "./goals.ts";
import { guardian } from "./guardian.ts";
import { handshake } from "./handshake.ts";
import { history } from "./history.ts";
import { hooks } from "./hooks.ts";
import { host } from "./host.ts";
import { ids } from "./ids.ts";
import { input } from "./input.ts";
import { lifecycle } from "./lifecycle.ts";
import { limits } from "./limits.ts";
import { listing } from "./listing.ts";
import { mcp } from "./mcp.ts";
import { modelErrors } from "./model-errors.ts";
import { patches } from "./patches.ts";
import { plans } from "./plans.ts";
import { plugins } from "./plugins.ts";
import { providers } from "./providers.ts";
import { pythonSdk } from "./python-sdk.ts";
import { queue } from "./queue.ts";
import { realtime } from "./realtime.ts";
import { requests } from "./requests.ts";
import { review } from "./review.ts";
import { sandbox } from "./sandbox.ts";
import { settings } from "./settings.ts";
import { skills } from "./skills.ts";
import { steering } from "./steering.ts";
import { stored } from "./stored.ts";
import { subscriptions } from "./subscriptions.ts";
import { threadStart } from "./thread-start.ts";
import { time } from "./time.ts";
import { transports } from "./transports.ts";
import { trust } from "./trust.ts";
import { turns } from "./turns.ts";
import { userState } from "./user-state.ts";

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
