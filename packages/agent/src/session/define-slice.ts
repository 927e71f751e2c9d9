import type { RecordKind, SlicePolicy } from "../events/record.ts";
import { RecordError } from "../events/session-errors.ts";

/** Makes the next state out of the present one and an event. */
export type SliceHandler<T, E> = (state: T, event: E) => T;

/** Options of {@link defineSlice}. */
export interface SliceOptions<T> {
  /** The state before the first event. Without it, events are ignored until the slice is seeded. */
  readonly initial?: (() => T) | undefined;
  readonly policy?: SlicePolicy | undefined;
}

/** A state and what each event does to it. Install it with `session.install(…)`. */
export class SliceDefinition<T extends object> {
  readonly type: RecordKind<T>;
  readonly options: SliceOptions<T>;
  readonly handlers: ReadonlyMap<RecordKind<object>, SliceHandler<T, never>>;

  constructor(
    type: RecordKind<T>,
    options: SliceOptions<T>,
    handlers: ReadonlyMap<RecordKind<object>, SliceHandler<T, never>>,
  ) {
    this.type = type;
    this.options = options;
    this.handlers = handlers;
  }

  /** The same slice with one more handler; an event has one at most. */
  on<E extends object>(event: RecordKind<E>, handler: SliceHandler<Readonly<T>, Readonly<E>>): SliceDefinition<T> {
    if (this.handlers.has(event))
      throw new RecordError(`The slice "${this.type.typeName}" handles "${event.typeName}" already`);
    return new SliceDefinition(this.type, this.options, new Map([...this.handlers, [event, handler]]));
  }
}

/**
 * Defines a slice that holds one state:
 *
 * ```ts
 * const plan = defineSlice(Plan, { initial: () => ({ steps: [] }) }).on(AddStep, ({ steps }, { step }) => ({
 *   steps: [...steps, step],
 * }));
 * session.install(plan);
 * ```
 */
export function defineSlice<T extends object>(type: RecordKind<T>, options: SliceOptions<T> = {}): SliceDefinition<T> {
  return new SliceDefinition(type, options, new Map());
}
