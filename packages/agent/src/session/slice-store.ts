import type { AnyRecordType, SlicePolicy } from "../events/record.ts";
import type { SliceOp, SliceView } from "./slice-op.ts";

/** The records of one type. Who asks for them gets a frozen array, which is copied only if more is written later. */
export class SliceStore implements SliceView<object> {
  readonly type: AnyRecordType;
  readonly policy: SlicePolicy;
  #items: object[] = [];

  constructor(type: AnyRecordType, policy: SlicePolicy) {
    this.type = type;
    this.policy = policy;
  }

  get size(): number {
    return this.#items.length;
  }

  all(): readonly object[] {
    return Object.freeze(this.#items);
  }

  latest(): object | null {
    return this.#items.at(-1) ?? null;
  }

  where(holds: (value: object) => boolean): readonly object[] {
    return this.#items.filter(holds);
  }

  /** Values that are no records yet become some. Throws, and changes nothing, where one does not fit. */
  apply(operation: SliceOp<object>): void {
    if (operation.op === "append") this.#add([this.type.make(operation.value)]);
    else if (operation.op === "extend") this.#add(operation.values.map((value) => this.type.make(value)));
    else if (operation.op === "replace") this.#items = operation.values.map((value) => this.type.make(value));
    else {
      this.#items = this.#items.filter((item) => operation.where !== undefined && !operation.where(item));
    }
  }

  #add(records: readonly object[]): void {
    if (Object.isFrozen(this.#items)) this.#items = [...this.#items, ...records];
    else for (const each of records) this.#items.push(each);
  }
}
