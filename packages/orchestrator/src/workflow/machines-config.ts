import { reference } from "../trackers/records/settings.ts";
import type { Settings } from "./settings.ts";
import { WorkflowError } from "./workflow-error.ts";

/** The database in which orchestrators of several machines see each other. */
export interface MachinesConfig {
  readonly url: string;
  /** Variable that holds it. */
  readonly urlEnvName: string;
  /** Time after which another machine may go on with the issues of one that is no longer heard of. */
  readonly leaseMs: number;
}

/** Shorter leases end while a machine is busy. */
const leastLeaseMs = 5000;

/** Reads `machines`; null where the workflow names no database. */
export function parseMachines(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): MachinesConfig | null {
  const written = settings.text("database");
  if (written === undefined) return null;
  const urlEnvName = reference(written);
  if (urlEnvName === null)
    throw invalid("database must name a variable, such as $DATABASE_URL: agents can read this file");
  const url = env[urlEnvName]?.trim() ?? "";
  if (!/^postgres(ql)?:\/\//.test(url)) throw invalid(`database is ${written}, which must hold a postgres:// address`);
  const leaseMs = settings.integer("lease_ms", 30_000);
  if (leaseMs < leastLeaseMs) throw invalid(`lease_ms is ${leaseMs}; give at least ${leastLeaseMs}`);
  return { url, urlEnvName, leaseMs };
}

const invalid = (problem: string) => new WorkflowError("invalid_workflow_config", `machines.${problem}`);
