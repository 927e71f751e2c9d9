import process from "node:process";
import type { TrackerAdapters } from "../tracker/adapter.ts";
import { Agreement, type SettingChange } from "./agreement.ts";
import { readSettings, readWorkflow, workflowPath } from "./load-workflow.ts";
import { agreementFile, defaultStateFile } from "./workflow-files.ts";

/** Options of {@link previewAgreement}. */
export interface AgreementOptions {
  /** The workflow file. Default `WORKFLOW.md` in the current folder. */
  readonly workflow?: string | undefined;
  readonly adapters: TrackerAdapters;
  /** Default: this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** As of the orchestrator. */
  readonly stateFile?: string | undefined;
}

/** Programs and permissions of a workflow, for a person to read before agreeing. */
export interface AgreementPreview {
  readonly path: string;
  /** Name and text of each setting; no credentials. */
  readonly settings: readonly { readonly name: string; readonly shown: string }[];
  /** Against what was agreed to before; everything is new where nothing was. */
  readonly changes: readonly SettingChange[];
  /** True if somebody agreed to an earlier content. */
  readonly agreedBefore: boolean;
  /** Records that the person agrees to exactly this. An orchestrator that runs uses the file from then on. */
  agree(): void;
}

/** Reads a workflow for a person to agree to. Throws where it cannot be used. */
export function previewAgreement(options: AgreementOptions): AgreementPreview {
  const { workflow, adapters, env = process.env } = options;
  const path = workflowPath(workflow, process.cwd());
  const { guarded } = readSettings(path, readWorkflow(path), { adapters, env });
  const agreement = new Agreement(agreementFile(options.stateFile ?? defaultStateFile(path, env)));
  return {
    path,
    settings: guarded.map(({ name, shown }) => ({ name, shown })),
    changes: agreement.changes(guarded),
    agreedBefore: agreement.exists,
    agree: () => agreement.record(guarded),
  };
}
