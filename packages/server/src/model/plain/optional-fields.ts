/** Fields that an endpoint may refuse and that a request can do without. */
export const optionalFields = ["store", "tool_choice", "reasoning", "strict"] as const;

/** A field of {@link optionalFields}. */
export type OptionalField = (typeof optionalFields)[number];

/** The fields that a provider refuses, besides those that only some endpoints know. */
export type Without = ReadonlySet<OptionalField>;
