/** Matches every id in a text: those of servers, and those of the scripted model's items. */
const anyId = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b(?:msg|rs|ws|fc)_\d+\b/g;

/** Kinds of names, by the field that holds them. */
const kindOfField: Readonly<Record<string, string>> = {
  threadId: "thread",
  sessionId: "thread",
  forkedFromId: "thread",
  parentThreadId: "thread",
  turnId: "turn",
  rootTurnId: "turn",
  itemId: "item",
  revision: "revision",
  installationId: "installation",
};

/** The thread or turn around a value, by its id. */
interface Scope {
  readonly thread?: string | undefined;
  readonly turn?: string | undefined;
}

/**
 * Gives ids names that are the same in every run: `thread-1`, `thread-1.turn-2`, `thread-1.turn-2.userMessage-1`. Turns are
 * counted within their thread and items within their turn, by type, so that one more or less does not shift the others.
 */
export class Names {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** Notes the ids within a message. To be called with each message, in order, before any is rewritten. */
  learn(value: unknown): void {
    this.#learn(value, "", {});
  }

  /** The text with each id replaced by its name. */
  apply(text: string): string {
    return text.replace(anyId, (id) => this.#names.get(id) ?? this.#add("id", id));
  }

  #learn(value: unknown, field: string, scope: Scope): void {
    if (typeof value === "string") {
      const kind = kindOfField[field];
      if (kind !== undefined && value.search(anyId) === 0) this.#add(kind, value, scope);
    } else if (Array.isArray(value)) {
      for (const element of value) this.#learn(element, field, scope);
    } else if (typeof value === "object" && value !== null) {
      this.#learnRecord(value as Readonly<Record<string, unknown>>, field, scope);
    }
  }

  #learnRecord(record: Readonly<Record<string, unknown>>, field: string, around: Scope): void {
    const kind = kindOf(record, field);
    const named = { thread: textOf(record.threadId) ?? around.thread, turn: textOf(record.turnId) ?? around.turn };
    const id = textOf(record.id);
    if (named.thread !== undefined) this.#learn(named.thread, "threadId", {});
    if (named.turn !== undefined) this.#learn(named.turn, "turnId", named);
    if (kind !== undefined && id !== undefined && id.search(anyId) === 0) this.#add(kind, id, named);
    const scope = kind === "thread" ? { thread: id } : kind === "turn" ? { ...named, turn: id } : named;
    for (const [key, inner] of Object.entries(record)) this.#learn(inner, key, scope);
  }

  #add(kind: string, id: string, scope: Scope = {}): string {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const inside = kind === "thread" ? undefined : kind === "turn" ? scope.thread : scope.turn;
    const outer = inside === undefined ? undefined : this.#names.get(inside);
    const title = outer === undefined ? kind : `${outer}.${kind}`;
    const count = (this.#counts.get(title) ?? 0) + 1;
    this.#counts.set(title, count);
    const name = `${title}-${count}`;
    this.#names.set(id, name);
    return name;
  }
}

function kindOf(record: Readonly<Record<string, unknown>>, field: string): string | undefined {
  if ("historyMode" in record && "sessionId" in record) return "thread";
  if ("itemsView" in record) return "turn";
  return field === "item" || field === "items" ? textOf(record.type) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
