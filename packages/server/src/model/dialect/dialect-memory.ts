import { join } from "node:path";
import type { ProviderConfig } from "../../config/effective-config.ts";
import { providerKey } from "../../config/models/facts-memory.ts";
import { readRows, readRowsOnce, writePrivate } from "../../lib/private-file.ts";
import { isTable, ownValue, type Table } from "../../lib/table.ts";
import { optionalFields, type Without } from "../plain/optional-fields.ts";

/** More providers than anybody has; the oldest are forgotten, and found out again. */
const maxRows = 100;

/** Providers that want requests in the plain form, in `model-dialects.json` of the home. Without a home it keeps nothing. */
export class DialectMemory {
  readonly #path: string | undefined;

  constructor(home: string | undefined) {
    this.#path = home === undefined ? undefined : join(home, "model-dialects.json");
  }

  /** The form for a provider at its address; `undefined` when it has refused none. */
  of(config: ProviderConfig): Without | undefined {
    const row = this.#path === undefined ? undefined : ownValue(readRowsOnce(this.#path), providerKey(config));
    if (!isTable(row) || row.dialect !== "plain") return undefined;
    const { without } = row;
    return new Set(optionalFields.filter((field) => Array.isArray(without) && without.includes(field)));
  }

  /** Throws when the home cannot be written. */
  keep(config: ProviderConfig, without: Without): void {
    if (this.#path === undefined) return;
    const key = providerKey(config);
    const others = Object.entries(readRows(this.#path)).filter(([known]) => known !== key);
    const own: [string, Table] = [key, { dialect: "plain", without: [...without] }];
    writePrivate(this.#path, `${JSON.stringify(Object.fromEntries([...others.slice(1 - maxRows), own]), null, 2)}\n`);
  }
}
