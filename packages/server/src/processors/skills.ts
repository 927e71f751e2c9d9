import { isAbsolute } from "node:path";
import { ErrorCode, RpcError } from "@quire/jsonrpc";
import type { SkillMetadata, SkillsListEntry } from "@quire/protocol";
import { ConfigError } from "../config/config-error.ts";
import type { EffectiveConfig } from "../config/effective-config.ts";
import { userConfig, writeConfig } from "../config/write-config.ts";
import type { Handlers } from "../context/processor.ts";
import type { ServerContext } from "../context/server-context.ts";
import { coreOf } from "../features/open-core.ts";
import { afterReply } from "../lib/after-reply.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";
import { isTable } from "../lib/table.ts";
import { scanSkills } from "../prompt/skill-prompt.ts";
import type { Skill } from "../skills/skill.ts";
import { FileCache } from "../workspace-files/file-cache.ts";

/** Skills: what there is, and switching one on or off. */
export const handlers: Handlers = {
  "skills/list": (params, { server }) => {
    const { cwds } = params;
    const folders = cwds?.length ? cwds : [process.cwd()];
    return { data: folders.map((cwd) => entry(server, cwd, extraRootsOf(params, cwd))) };
  },

  "skills/extraRoots/set": ({ extraRoots }, { server }) => {
    const relative = extraRoots.find((root) => !isAbsolute(root));
    if (relative !== undefined)
      throw invalidRequest(`Invalid request: extra roots of skills must be absolute paths: ${relative}`);
    coreOf(server).prompts.skillRoots = extraRoots;
    afterReply(() => server.broadcast("skills/changed", {}));
    return {};
  },

  "skills/config/write": ({ name, path, enabled }, { server }) => {
    if ((name ?? null) === null ? (path ?? null) === null : (path ?? null) !== null) {
      const message = "skills/config/write requires exactly one of path or name";
      throw new RpcError({ code: ErrorCode.invalidParams, message });
    }
    const { home } = server;
    const known = (userConfig(home).values.skills as { config?: unknown } | undefined)?.config;
    const others = (Array.isArray(known) ? (known as { name?: string; path?: string }[]) : []).filter((each) =>
      path ? each.path !== path : each.name !== name || each.path !== undefined,
    );
    // Being switched on is the default and needs no entry.
    const own = enabled ? [] : [path ? { path, enabled } : { name, enabled }];
    writeConfig(home, { edits: [{ keyPath: ["skills", "config"], value: [...others, ...own], merge: false }] });
    afterReply(() => server.broadcast("skills/changed", {}));
    return { effectiveEnabled: enabled };
  },
};

/** Roots that earlier clients send along. Codex has `skills/extraRoots/set` instead. */
function extraRootsOf(params: object, cwd: string): string[] {
  const { perCwdExtraUserRoots: rows } = params as { readonly perCwdExtraUserRoots?: unknown };
  const own = (Array.isArray(rows) ? rows : []).filter((row) => isTable(row) && row.cwd === cwd);
  const roots = own.flatMap(({ extraUserRoots }) => (Array.isArray(extraUserRoots) ? extraUserRoots : []));
  const wrong = roots.find((root) => typeof root !== "string" || !isAbsolute(root));
  if (wrong !== undefined)
    throw invalidRequest(`skills/list perCwdExtraUserRoots extraUserRoots paths must be absolute: ${wrong}`);
  return roots;
}

function entry(server: ServerContext, cwd: string, extraRoots: readonly string[]): SkillsListEntry {
  const core = coreOf(server);
  let config: EffectiveConfig;
  try {
    config = core.config.resolve({ cwd });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { cwd, skills: [], errors: [{ path: cwd, message: error.message }] };
  }
  // Not cached: the client may have just written one.
  const { skills, errors } = scanSkills(new FileCache({ home: core.config.home }), {
    home: core.config.home,
    userHome: server.env.HOME,
    extraRoots: [...core.prompts.skillRoots, ...extraRoots],
    cwd,
    config,
  });
  const rank = ({ scope }: Skill) => (scope === "repo" ? 0 : 1);
  return { cwd, skills: skills.sort((a, b) => rank(a) - rank(b)).map(metadata), errors };
}

function metadata({
  name,
  description,
  shortDescription,
  extras,
  path,
  scope,
  enabled,
  pluginId,
}: Skill): SkillMetadata {
  return {
    name,
    description,
    ...(shortDescription && { shortDescription }),
    ...(extras.interface && { interface: extras.interface }),
    ...(extras.dependencies && { dependencies: extras.dependencies }),
    path,
    scope,
    enabled,
    pluginId: pluginId ?? null,
  };
}
