export type { Issue } from "./explain.ts";
export { hasType, schemaOf, typeNames, validateParams, validateResult, validateType } from "./protocol.ts";
export type { ObjectSchema, Schema } from "./schema.ts";
export { createValidator, type ValidateOptions, type Validation, type Validator } from "./validator.ts";
