import { createHash } from "node:crypto";

/** The longest name of a function that every provider takes. */
const maxLength = 64;

/** Names under which providers without namespaces know tools. Each tool keeps its name while this object lives. */
export class LegalNames {
  readonly #byTool = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** The name of a tool: readable where that is free, else with a hash, which depends on nothing but the tool. */
  of(namespace: string | null, name: string): string {
    const tool = JSON.stringify([namespace, name]);
    const known = this.#byTool.get(tool);
    if (known !== undefined) return known;
    const readable = legal(namespace === null ? name : `${namespace}__${name}`);
    const isFree = readable.length <= maxLength && !this.#taken.has(readable);
    const chosen = isFree ? readable : hashed(readable, tool);
    this.#byTool.set(tool, chosen);
    this.#taken.add(chosen);
    return chosen;
  }
}

/** Some providers want a letter or an underscore first. */
function legal(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, "_");
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
}

function hashed(readable: string, tool: string): string {
  const hash = createHash("sha256").update(tool).digest("hex").slice(0, 12);
  return `${readable.slice(0, maxLength - hash.length - 1)}_${hash}`;
}
