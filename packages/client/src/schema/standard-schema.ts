/** The Standard Schema interface, version 1, which schema libraries offer (zod, valibot, arktype and others). */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": StandardProps<Input, Output>;
}

/** The properties of a {@link StandardSchema}. */
export interface StandardProps<Input = unknown, Output = Input> {
  readonly version: 1;
  /** The library's name. */
  readonly vendor: string;
  /** Checks a value and converts it to the output type. */
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  /** Exists in types only. */
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  /** The newer Standard JSON Schema interface, where the library has it. */
  readonly jsonSchema?: StandardJsonSchema | undefined;
}

/** A library's conversion to JSON Schema. Both functions throw for what JSON Schema cannot express. */
interface StandardJsonSchema {
  /** The schema of values before validation. */
  readonly input: (options: { readonly target: "draft-2020-12" | "draft-07" }) => Record<string, unknown>;
  /** The schema of values after validation. */
  readonly output: (options: { readonly target: "draft-2020-12" | "draft-07" }) => Record<string, unknown>;
}

/** The verdict of a {@link StandardSchema}. */
type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** A reason why a {@link StandardSchema} refuses a value. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
