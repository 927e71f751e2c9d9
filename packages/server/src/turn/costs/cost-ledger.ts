import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { ServerContext } from "../../context/server-context.ts";
import { type Service, service } from "../../context/services.ts";
import { localTime } from "../../lib/local-time.ts";
import { isTable } from "../../lib/table.ts";

/** An amount that was spent, in US dollars. */
export interface Spending {
  readonly threadId: string;
  readonly turnId: string;
  readonly provider: string;
  readonly model: string;
  readonly usd: number;
}

/** The spendings of a home, a file for each day: appended, so that servers beside each other lose none. */
export class CostLedger {
  readonly #folder: string;
  #day = "";
  #read = 0;
  #spent = 0;
  #rest = "";
  /** Upper bounds of the requests that run now. */
  reserved = 0;

  constructor(home: string) {
    this.#folder = join(home, "costs");
  }

  /** Throws when the home cannot be written. */
  add(spending: Spending): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    appendFileSync(this.#pathOf(today()), `${JSON.stringify(spending)}\n`, { mode: 0o600 });
  }

  /** The amount of this day, of all servers on the home. Reads only what is new. */
  spentToday(): number {
    const day = today();
    if (day !== this.#day) [this.#day, this.#read, this.#spent, this.#rest] = [day, 0, 0, ""];
    const lines = (this.#rest + this.#news()).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#spent += amountIn(line);
    return this.#spent;
  }

  #news(): string {
    let file: number;
    try {
      file = openSync(this.#pathOf(this.#day), "r");
    } catch {
      return "";
    }
    try {
      const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - this.#read));
      this.#read += readSync(file, bytes, 0, bytes.length, this.#read);
      return bytes.toString();
    } finally {
      closeSync(file);
    }
  }

  #pathOf(day: string): string {
    return join(this.#folder, `${day}.jsonl`);
  }
}

const today = (): string => localTime(Date.now()).slice(0, 10);

function amountIn(line: string): number {
  try {
    const row: unknown = JSON.parse(line);
    return isTable(row) && typeof row.usd === "number" && row.usd > 0 ? row.usd : 0;
  } catch {
    // A killed server may have written a part of it.
    return 0;
  }
}

/** The ledger of a server. */
export const costLedger: Service<ServerContext, CostLedger> = service(({ home }) => new CostLedger(home));
