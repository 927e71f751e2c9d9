import { type RecordType, record } from "../events/record.ts";

/** The thread on the server that belongs to a session, and what it was started with: the next evaluation may continue it. */
export const CodexThread: RecordType<{
  threadId: string;
  cwd: string;
  /** Of the workspace's mounts and limits; null without a workspace. */
  workspaceFingerprint: string | null;
  /** Of the tools that the thread was started with: a resumed thread keeps those. */
  toolsFingerprint: string;
}> = record("quire.codexThread");
