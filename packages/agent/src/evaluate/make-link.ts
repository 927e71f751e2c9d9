import process from "node:process";
import { createPrivateHome, type PrivateHome } from "../home/private-home.ts";
import type { Skill } from "../prompt/skill.ts";
import type { AgentSettings } from "./agent-settings.ts";
import { answers } from "./approvals.ts";
import { refreshHandler } from "./auth.ts";
import { AgentConfigError } from "./config-error.ts";
import type { EvaluationScope } from "./evaluation-scope.ts";
import { AgentLink } from "./server-link.ts";

/** A home for the server, where the prompt has skills or the agent wants one; the caller disposes of it. */
export async function makeHome(settings: AgentSettings, skills: readonly Skill[]): Promise<PrivateHome | undefined> {
  const { url, transport, home, env } = settings.client;
  if (skills.length === 0 && home === undefined) return undefined;
  if (url !== undefined || transport !== undefined)
    throw new AgentConfigError("Skills and a hermetic home need a server that is started for the evaluation");
  return createPrivateHome({ skills, env: { ...process.env, ...env }, hermetic: home === "hermetic" });
}

/** The link of an evaluation to its server, not open yet; the caller disposes of it. */
export function makeLink(scope: EvaluationScope, cwd: string, home: PrivateHome | undefined): AgentLink {
  const { settings, redactor, logger, watch } = scope;
  const { client: config, clock } = settings;
  const onAuthRefresh = refreshHandler(
    config.auth,
    () => link.client.serverVersion,
    (secrets) => redactor.learn(secrets),
  );
  const env = home?.env ?? { ...process.env, ...config.env };
  const link = new AgentLink({
    config,
    cwd,
    env,
    handlers: { ...answers(config, settings.hooks.beforeApproval), onAuthRefresh },
    clock,
    logger,
  });
  link.client.on("notification", watch.notified);
  return link;
}
