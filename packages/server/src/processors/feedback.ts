import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { arch, platform, release } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { FeedbackUploadParams } from "@quire/protocol";
import type { Handlers } from "../context/processor.ts";
import type { ServerContext } from "../context/server-context.ts";
import { redact } from "../features/feedback/redact.ts";
import { zip } from "../features/feedback/zip.ts";
import { coreOf } from "../features/open-core.ts";
import { errorMessage } from "../lib/error-message.ts";
import { internalError, invalidRequest } from "../lib/rpc-errors.ts";
import { quireVersion } from "../lib/version.ts";
import { readEndIfAny } from "../workspace-files/read-file.ts";
import { anywhere } from "../workspace-files/root.ts";

/** The part of a log or thread that is included, from its end. */
const maxBytes = 4 * 1024 * 1024;

/** Feedback stays on this machine: it is a file that the user can look at and pass on. Keys are taken out of it. */
export const handlers: Handlers = {
  "feedback/save": async ({ savePath, ...params }, { server }) => {
    if (!isAbsolute(savePath)) throw invalidRequest("feedback savePath must be an absolute host path");
    const threadId = await save(server, params, savePath);
    return { savedPath: savePath, threadId, promptHash: null };
  },

  // There is nobody to send it to: it is saved where its user finds it.
  "feedback/upload": async (params, { server }) => {
    const folder = join(server.home, "feedback");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return { threadId: await save(server, params, join(folder, `${Bun.randomUUIDv7()}.zip`)) };
  },
};

async function save(server: ServerContext, params: FeedbackUploadParams, path: string): Promise<string> {
  if (existsSync(path)) throw internalError("failed to save feedback: feedback save path already exists");
  const threadId = params.threadId ?? `no-active-thread-${crypto.randomUUID()}`;
  const report = {
    classification: params.classification,
    reason: params.reason ?? null,
    tags: params.tags ?? {},
    threadId,
    version: quireVersion,
    system: { platform: platform(), release: release(), arch: arch(), bun: Bun.version },
  };
  const files = new Map([["report.json", clean(server, JSON.stringify(report, null, 2))]]);
  if (params.includeLogs) {
    const rollout = params.threadId ? await rolloutOf(server, params.threadId) : undefined;
    for (const file of [rollout, ...(params.extraLogFiles ?? [])]) {
      const content = file && readEndIfAny(file, { ...anywhere(file), maxBytes });
      if (file && content !== undefined) files.set(basename(file), clean(server, content));
    }
  }
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, zip(files), { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw internalError(`failed to save feedback: ${errorMessage(error)}`);
  }
  return threadId;
}

async function rolloutOf(server: ServerContext, threadId: string): Promise<string | undefined> {
  const core = coreOf(server);
  const thread = core.threads.get(threadId);
  if (thread) return thread.stored ? (thread.record.path ?? undefined) : undefined;
  return (await core.store.read(threadId))?.path ?? undefined;
}

function clean(server: ServerContext, text: string): Uint8Array {
  return Buffer.from(redact(text, server.env));
}
