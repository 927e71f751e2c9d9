import { resolve } from "node:path";
import { ConfigFiles } from "../config-files.ts";
import { findProject, trustLevel } from "../project.ts";
import { isTable } from "../table.ts";
import { userConfig, writeConfig } from "../write-config.ts";
import { ProjectTrust } from "./project-trust.ts";
import { type TrustRecord, TrustRecords } from "./trust-records.ts";

/** A project that a user may trust. */
export interface TrustPreview {
  /** The entry of `[projects]`: the one that decides about the folder already, else the project's root. */
  readonly project: string;
  /** What would be trusted. */
  readonly found: TrustRecord;
  /** What is trusted now; `undefined` where nothing is. */
  readonly trusted: TrustRecord | undefined;
}

/** What trusting the project around a folder would come to. Changes nothing. */
export function previewTrust(home: string, folder: string): TrustPreview {
  const { project, cwd } = chosen(home, folder);
  const trust = new ProjectTrust(home, new ConfigFiles());
  return { project, found: trust.preview(project, cwd), trusted: trust.recordFor(project) };
}

/** Trusts the project of a preview as that has shown it: what has changed since is not trusted. */
export function trustProject(home: string, { project, found }: TrustPreview): void {
  // The record comes first: a server that saw the entry without one would make its own.
  new TrustRecords(home).replace(found);
  setLevel(home, project, "trusted");
}

/** Takes trust back from the project around a folder. Gives its entry. */
export function revokeTrust(home: string, folder: string): string {
  const { project } = chosen(home, folder);
  setLevel(home, project, null);
  new TrustRecords(home).remove(project);
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

function setLevel(home: string, project: string, level: "trusted" | null): void {
  writeConfig(home, { edits: [{ keyPath: ["projects", project, "trust_level"], value: level, merge: false }] });
}
