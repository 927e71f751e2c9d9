import { addUsage, noUsage, type TokenUsage } from "@quire/client/guards";
import { AgentError } from "../lib/agent-error.ts";
import { isPlainObject } from "../lib/frozen-copy.ts";
import type { EvalResult } from "./eval-case.ts";
import { EvalDiff } from "./eval-diff.ts";
import { cell, textTable } from "./text-table.ts";

/** The form in which reports are written; another one cannot be read. */
const version = 1;

/** The sums of a run. */
export interface EvalSummary {
  readonly cases: number;
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  /** Means by scorer, of the cases that were scored. */
  readonly scores: Readonly<Record<string, number>>;
  readonly usage: TokenUsage;
  /** US dollars; null where no price is known. */
  readonly cost: number | null;
}

/** The results of a run over a dataset. It does not change, and survives JSON. */
export class EvalReport {
  readonly name: string;
  /** ISO 8601, in UTC. */
  readonly createdAt: string;
  /** Milliseconds of the whole run. */
  readonly durationMs: number;
  /** Results in the order of the dataset, one for each case. */
  readonly results: readonly EvalResult[];

  constructor(content: Pick<EvalReport, "name" | "createdAt" | "durationMs" | "results">) {
    this.name = content.name;
    this.createdAt = content.createdAt;
    this.durationMs = content.durationMs;
    this.results = Object.freeze([...content.results]);
    Object.freeze(this);
  }

  /** True when every case passed. */
  get ok(): boolean {
    return this.results.every(({ status }) => status === "passed");
  }

  /** The sums. */
  get summary(): EvalSummary {
    const count = (wanted: EvalResult["status"]) => this.results.filter(({ status }) => status === wanted).length;
    const costs = this.results.flatMap(({ cost }) => (cost === null ? [] : [cost]));
    return {
      cases: this.results.length,
      passed: count("passed"),
      failed: count("failed"),
      errors: count("error"),
      scores: means(this.results),
      usage: this.results.reduce((sum, { usage }) => (usage ? addUsage(sum, usage) : sum), noUsage),
      cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    };
  }

  /** The differences from an earlier run to this one. */
  diff(earlier: EvalReport): EvalDiff {
    return new EvalDiff(earlier.results, this.results);
  }

  /** The report as text for a terminal or a log. */
  table(): string {
    const { cases, passed, failed, errors, scores, usage, cost } = this.summary;
    const names = Object.keys(scores);
    const head = ["case", "status", ...names, "tokens", "cost", "time", "note"];
    const rows = this.results.map((result) => [
      result.id,
      result.status,
      ...names.map((name) => entryOf(result, name)?.score.toFixed(2) ?? "-"),
      result.usage ? String(result.usage.totalTokens) : "-",
      dollars(result.cost),
      seconds(result.durationMs),
      noteOf(result),
    ]);
    const sums = [`${cases} cases: ${passed} passed, ${failed} failed, ${errors} errors`];
    for (const [name, mean] of Object.entries(scores)) sums.push(`${name} ${mean.toFixed(2)}`);
    sums.push(`${usage.totalTokens} tokens`, dollars(cost), seconds(this.durationMs));
    return `${textTable(head, rows)}\n\n${cell(this.name)}: ${sums.filter((sum) => sum !== "-").join(" · ")}`;
  }

  /** For `JSON.stringify`. */
  toJSON(): Record<string, unknown> {
    const { name, createdAt, durationMs, summary, results } = this;
    return { version, name, createdAt, durationMs, summary, results };
  }

  /** Reads what `JSON.stringify` wrote. Throws an `AgentError` for anything else. */
  static parse(text: string): EvalReport {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      throw new AgentError("A report is JSON, which this text is not", { cause });
    }
    if (!isPlainObject(value) || value.version !== version || !isContent(value))
      throw new AgentError(`This is no report of version ${version}`);
    return new EvalReport(value);
  }
}

function means(results: readonly EvalResult[]): Record<string, number> {
  const names = new Set(results.flatMap(({ scores }) => Object.keys(scores)));
  return Object.fromEntries(
    [...names].map((name) => {
      const all = results.flatMap((result) => entryOf(result, name)?.score ?? []);
      return [name, all.reduce((sum, score) => sum + score, 0) / all.length];
    }),
  );
}

/** Names of scorers may be those of an object's own members. */
const entryOf = ({ scores }: EvalResult, name: string) => (Object.hasOwn(scores, name) ? scores[name] : undefined);

function noteOf({ error, scores }: EvalResult): string {
  if (error) return error.message;
  return Object.values(scores)
    .flatMap(({ reason }) => reason ?? [])
    .join("; ");
}

const dollars = (cost: number | null) => (cost === null ? "-" : `$${cost.toFixed(4)}`);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

function isContent(value: Record<string, unknown>): value is Record<string, unknown> & EvalReport {
  const { name, createdAt, durationMs, results } = value;
  if (typeof name !== "string" || typeof createdAt !== "string" || typeof durationMs !== "number") return false;
  return Array.isArray(results) && results.every(isResult);
}

function isResult(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const { id, status, scores, text, durationMs, inputHash } = value;
  const isNamed = typeof id === "string" && (status === "passed" || status === "failed" || status === "error");
  const isTold = (typeof text === "string" || text === null) && typeof durationMs === "number";
  return (
    isNamed && isTold && typeof inputHash === "string" && isPlainObject(scores) && Object.values(scores).every(isScore)
  );
}

const isScore = (value: unknown) => isPlainObject(value) && typeof value.score === "number";
