const brand = Symbol.for("@quire/client/SchemaError");

/** A schema cannot be used: it has no JSON Schema form, or one that its purpose does not allow. */
export class SchemaError extends Error {
  override readonly name: string = "SchemaError";
  /** The place in the schema, such as `items[].name`; empty for the whole of it. */
  readonly path: string;

  constructor(message: string, options?: ErrorOptions & { readonly path?: string }) {
    super(message, options);
    this.path = options?.path ?? "";
    Object.defineProperty(this, brand, { value: true });
  }

  /** Tells a SchemaError, also one made by another copy of this package. */
  static is(value: unknown): value is SchemaError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
