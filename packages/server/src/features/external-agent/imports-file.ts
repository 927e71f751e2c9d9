import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ExternalAgentConfigImportHistory } from "@quire/protocol";
import { statIfExists } from "../../lib/stat-if-exists.ts";

const maxKept = 200;

/** Earlier imports, oldest first. */
export function readImports(home: string): ExternalAgentConfigImportHistory[] {
  const path = file(home);
  if (!statIfExists(path)?.isFile()) return [];
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return Array.isArray(value) ? (value as ExternalAgentConfigImportHistory[]) : [];
  } catch {
    return [];
  }
}

/** Remembers an import. */
export function addImport(home: string, entry: ExternalAgentConfigImportHistory): void {
  const path = file(home);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, JSON.stringify([...readImports(home), entry].slice(-maxKept)), { mode: 0o600 });
  renameSync(temporary, path);
}

const file = (home: string): string => join(home, "external_agent_imports.json");
