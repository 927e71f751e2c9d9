import { randomUUID } from "node:crypto";
import { EncodedResult } from "@quire/jsonrpc";
import type { ThreadItem, Turn } from "@quire/protocol";
import { fullResult, fullValue } from "@quire/protocol/defaults";
import { runGently } from "../lib/time-slice.ts";

/** A turn as it was, and its JSON. Items are never changed, only replaced. */
interface TurnText {
  readonly turn: Turn;
  readonly items: readonly ThreadItem[];
  readonly text: string;
}

/**
 * The JSON of a thread's turns, made before the reply that has them: ten thousand turns take as long as ten requests of
 * others, which come in between. The reply itself is put together at once, with those turns anew that changed meanwhile.
 */
export class TurnTexts {
  readonly #texts: readonly TurnText[];

  private constructor(texts: readonly TurnText[]) {
    this.#texts = texts;
  }

  /** Encodes all turns, with others in between. */
  static async of(turns: readonly Turn[]): Promise<TurnTexts> {
    return new TurnTexts(await runGently(encoding(turns)));
  }

  /** A result with these turns, as they are now, in its thread. */
  result<Result extends { readonly thread: object }>(method: string, result: Result, turns: readonly Turn[]): Result {
    const place = randomUUID();
    const whole = JSON.stringify(fullResult(method, { ...result, thread: { ...result.thread, turns: place } }));
    const [head, tail] = whole.split(JSON.stringify(place));
    // The connection sends it as it is.
    return new EncodedResult(`${head}[${this.#list(turns)}]${tail}`) as unknown as Result;
  }

  #list(turns: readonly Turn[]): string {
    return turns
      .map((turn, at) => {
        const known = this.#texts[at];
        return known && isSame(known, turn) ? known.text : encoded(turn, turn.items.map(itemText));
      })
      .join();
  }
}

function* encoding(turns: readonly Turn[]): Generator<undefined, TurnText[]> {
  const texts: TurnText[] = [];
  // What is added meanwhile is encoded with the reply.
  for (const turn of [...turns]) {
    const items = [...turn.items];
    const before = { ...turn };
    const parts: string[] = [];
    for (const item of items) {
      parts.push(itemText(item));
      yield;
    }
    texts.push({ turn: before, items, text: encoded(before, parts) });
  }
  return texts;
}

function encoded(turn: Turn, items: readonly string[]): string {
  const rest = JSON.stringify(fullValue("Turn", { ...turn, items: undefined }));
  return `{"items":[${items.join()}],${rest.slice(1)}`;
}

const itemText = (item: ThreadItem): string => JSON.stringify(fullValue("ThreadItem", item));

function isSame({ turn: before, items }: TurnText, now: Turn): boolean {
  const keys = Object.keys(now) as (keyof Turn)[];
  if (keys.length !== Object.keys(before).length) return false;
  if (!keys.every((key) => key === "items" || now[key] === before[key])) return false;
  return items.length === now.items.length && items.every((item, at) => item === now.items[at]);
}
