import { errorMessage } from "../lib/error-message.ts";
import { checkConfig, checkFields, checkMcp, checkRequirements } from "./config-checks.ts";
import type { DoctorOptions } from "./doctor-options.ts";
import type { Finding } from "./finding.ts";
import { checkKey } from "./key-check.ts";
import {
  checkDisk,
  checkGit,
  checkHome,
  checkSandbox,
  checkShell,
  checkTerminal,
  checkVersion,
} from "./machine-checks.ts";
import { checkProvider, checkProxies, checkSocket } from "./reach-checks.ts";
import { checkDatabase, checkThreads } from "./store-checks.ts";

/** A completed check. */
export interface DoctorCheck extends Finding {
  readonly group: "environment" | "store" | "configuration" | "connectivity";
  readonly name: string;
  readonly durationMs: number;
}

type Check = (options: DoctorOptions) => Finding | Promise<Finding>;
type Row = readonly [group: DoctorCheck["group"], name: string, check: Check];

const machine: readonly Row[] = [
  ["environment", "version", checkVersion],
  ["environment", "home", checkHome],
  ["environment", "disk", checkDisk],
  ["environment", "shell", checkShell],
  ["environment", "git", checkGit],
  ["environment", "sandbox", checkSandbox],
  ["environment", "terminal", checkTerminal],
  ["store", "sqlite", checkDatabase],
  ["store", "threads", checkThreads],
];

const configuration: readonly Row[] = [
  ["configuration", "config", checkConfig],
  ["configuration", "fields", checkFields],
  ["configuration", "requirements", checkRequirements],
  ["configuration", "mcp", checkMcp],
  ["configuration", "key", checkKey],
];

/** Looks at the machine, the configuration and the way to the model. Changes nothing. */
export async function runDoctor(options: DoctorOptions): Promise<DoctorCheck[]> {
  const { network = "also" } = options;
  const rows: Row[] = network === "only" ? configuration.slice(0, 1) : [...machine, ...configuration];
  if (network !== "only") rows.push(["connectivity", "app-server", checkSocket]);
  rows.push(["connectivity", "proxies", checkProxies]);
  if (network !== "none") rows.push(["connectivity", "provider", checkProvider]);
  const checks: DoctorCheck[] = [];
  for (const [group, name, check] of rows) {
    const began = performance.now();
    const finding = await found(check, options);
    checks.push({ group, name, ...finding, durationMs: Math.round(performance.now() - began) });
  }
  return checks;
}

async function found(check: Check, options: DoctorOptions): Promise<Finding> {
  try {
    return await check(options);
  } catch (error) {
    return { status: "failed", message: errorMessage(error) };
  }
}
