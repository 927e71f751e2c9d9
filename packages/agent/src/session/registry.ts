import { type AnyRecordType, recordTypeOf, type SlicePolicy } from "../events/record.ts";
import { RecordError } from "../events/session-errors.ts";
import type { Reducer } from "./reducer.ts";
import { SliceStore } from "./slice-store.ts";

/** A reducer and the slice that it works on. */
export interface Registration {
  readonly store: SliceStore;
  readonly reduce: Reducer<object, object>;
}

/** The slices of a session and their reducers. */
export class Registry {
  readonly #stores = new Map<string, SliceStore>();
  readonly #reducers = new Map<
    AnyRecordType,
    { readonly target: string; readonly reduce: Reducer<object, object> }[]
  >();

  get stores(): Iterable<SliceStore> {
    return this.#stores.values();
  }

  /** The slice of that name; undefined where the session does not know one. */
  find(typeName: string): SliceStore | undefined {
    return this.#stores.get(typeName);
  }

  /** The slice of a type. Throws where another type has taken its name. */
  store(type: AnyRecordType, policy?: SlicePolicy): SliceStore {
    const known = this.#stores.get(type.typeName);
    if (known === undefined) {
      const store = new SliceStore(type, policy ?? type.policy);
      this.#stores.set(type.typeName, store);
      return store;
    }
    if (known.type !== type) throw new RecordError(`Two types of record are called "${type.typeName}": rename one`);
    if (policy !== undefined && policy !== known.policy)
      throw new RecordError(`The slice "${type.typeName}" is in use as ${known.policy}, and cannot become ${policy}`);
    return known;
  }

  /** The slice of a type for reading; asking does not make the type known to the session. */
  peek(type: AnyRecordType): SliceStore {
    const known = this.#stores.get(type.typeName);
    return known?.type === type ? known : new SliceStore(type, type.policy);
  }

  register(target: AnyRecordType, event: AnyRecordType, reduce: Reducer<object, object>): void {
    const others = this.#reducers.get(event) ?? [];
    this.#reducers.set(event, [...others, { target: target.typeName, reduce }]);
  }

  /** The reducers of an event: by default its own slice keeps it. */
  registrations(event: object): readonly Registration[] | undefined {
    const type = recordTypeOf(event);
    return (type && this.#reducers.get(type))?.flatMap(({ target, reduce }) => {
      const store = this.#stores.get(target);
      return store === undefined ? [] : [{ store, reduce }];
    });
  }

  /** A registry with the same slices, content and reducers, which no longer depends on this one. */
  copy(): Registry {
    const copy = new Registry();
    for (const store of this.#stores.values()) {
      copy.store(store.type, store.policy).apply({ op: "replace", values: store.all() });
    }
    for (const [event, reducers] of this.#reducers) copy.#reducers.set(event, reducers);
    return copy;
  }
}
