import { join, relative, resolve } from "node:path";
import { ConfigError } from "../config/config-error.ts";
import { ConfigFiles } from "../config/config-files.ts";
import { findProject, resolved, trustLevel } from "../config/project.ts";
import { ProjectTrust } from "../config/trust/project-trust.ts";
import { configFolders } from "../config/trust/record-project.ts";
import { type TrustRecord, TrustRecords } from "../config/trust/trust-records.ts";
import { type ConfigWrite, userConfig, writeConfig } from "../config/write-config.ts";
import { errorMessage } from "../lib/error-message.ts";
import { isTable } from "../lib/table.ts";
import type { ProjectPrograms } from "./project-programs.ts";

/** A project that a user may trust. */
export interface TrustPreview {
  /** The entry of `[projects]` that decides about the folder, else the project's root. */
  readonly project: string;
  readonly found: TrustRecord;
  readonly trusted: TrustRecord | undefined;
  /** The programs it would have a server run. */
  readonly programs: ProjectPrograms;
}

/** The effect of trusting the project around a folder. Changes nothing. */
export async function previewTrust(home: string, folder: string): Promise<TrustPreview> {
  const { project, cwd } = chosen(home, folder);
  const files = new ConfigFiles();
  const trust = new ProjectTrust(home, files);
  const found = trust.preview(project, cwd);
  const folders = configFolders(project, cwd).map((folder) => join(project, relative(found.root, folder), ".codex"));
  const own = folders.filter((folder) => resolved(folder) !== resolved(home));
  // A server that starts has no need of it.
  const { projectPrograms } = await import("./project-programs.ts");
  const programs = projectPrograms({ home, files, project, folders: own, user: userConfig(home).values });
  return { project, found, trusted: trust.recordFor(project), programs };
}

/** Trusts the project of a preview as that has shown it: what has changed since is not trusted. */
export function trustProject(home: string, { project, found, programs }: TrustPreview): void {
  // The record comes first: a server that saw the entry without one would make its own.
  writable(home, () => new TrustRecords(home).replace(found));
  const agreed = programs.hooks
    .filter((hook) => !hook.agreed)
    .map(({ key, hash }) => ({ keyPath: ["hooks", "state", key, "trusted_hash"], value: hash, merge: false }));
  const gone = programs.goneHooks.map((key) => ({ keyPath: ["hooks", "state", key], value: null, merge: false }));
  writeConfig(home, { edits: [level(project, "trusted"), ...agreed, ...gone] });
}

/** Takes trust back from the project around a folder. Gives its entry. */
export function revokeTrust(home: string, folder: string): string {
  const { project } = chosen(home, folder);
  writeConfig(home, { edits: [level(project, null)] });
  writable(home, () => new TrustRecords(home).remove(project));
  return project;
}

/** The projects that are trusted, each with what was recorded of it. */
export function listTrusted(home: string): { project: string; record: TrustRecord | undefined }[] {
  const { projects } = userConfig(home).values;
  const records = new TrustRecords(home);
  return Object.entries(isTable(projects) ? projects : {})
    .filter(([, row]) => trustLevel(row) === "trusted")
    .map(([project]) => ({ project, record: records.read(project) }));
}

function chosen(home: string, folder: string): { project: string; cwd: string } {
  const cwd = resolve(folder);
  const { root, folders } = findProject(cwd, userConfig(home).values);
  return { project: folders.at(-1)?.entry ?? root, cwd };
}

function level(project: string, value: "trusted" | null): ConfigWrite["edits"][number] {
  return { keyPath: ["projects", project, "trust_level"], value, merge: false };
}

function writable(home: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    const why = errorMessage(error);
    throw new ConfigError(`${join(home, "trusted-projects")} cannot be written: ${why}. Check that it may be.`);
  }
}
