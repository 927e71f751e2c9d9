import type { PagePort } from "./hub-options.ts";

interface LeaseKind {
  /** The member of the params by which the page names what it starts. */
  readonly key: string;
  /** Method that ends it. */
  readonly release: string;
  /** Set when it ends with the reply to the request that started it. */
  readonly untilReply?: true;
}

/**
 * Requests that start something which a server keeps for its connection. Pages share one connection, so the gateway
 * ends what a page leaves behind.
 */
const kinds: ReadonlyMap<string, LeaseKind> = new Map(
  Object.entries<LeaseKind>({
    "command/exec": { key: "processId", release: "command/exec/terminate", untilReply: true },
    "process/spawn": { key: "processHandle", release: "process/kill" },
    "fs/watch": { key: "watchId", release: "fs/unwatch" },
    "fuzzyFileSearch/sessionStart": { key: "sessionId", release: "fuzzyFileSearch/sessionStop" },
  }),
);

/** The request that ends a lease. */
export interface Release {
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Processes, watches and searches that pages have running on one hub. */
export class Leases {
  readonly #byPage = new Map<PagePort, Map<string, Release>>();

  /** Records a request that is forwarded for a page. Call the returned function with its reply. */
  sent(page: PagePort, method: string, params: unknown): (() => void) | undefined {
    const kind = kinds.has(method) ? kinds.get(method) : undefined;
    if (!kind) {
      this.#released(page, method, params);
      return undefined;
    }
    const value = (params as Record<string, unknown> | null | undefined)?.[kind.key];
    if (typeof value !== "string") return undefined;
    const release: Release = { method: kind.release, params: { [kind.key]: value } };
    const held = this.#byPage.get(page) ?? new Map<string, Release>();
    this.#byPage.set(page, held);
    const name = nameOf(release);
    held.set(name, release);
    return kind.untilReply ? () => held.delete(name) : undefined;
  }

  take(page: PagePort): Release[] {
    const held = this.#byPage.get(page);
    this.#byPage.delete(page);
    return [...(held?.values() ?? [])];
  }

  /** Forgets all leases: they ended with the connection. */
  clear(): void {
    this.#byPage.clear();
  }

  #released(page: PagePort, method: string, params: unknown): void {
    this.#byPage.get(page)?.delete(nameOf({ method, params: (params ?? {}) as Release["params"] }));
  }
}

function nameOf({ method, params }: Release): string {
  return `${method} ${JSON.stringify(params)}`;
}
