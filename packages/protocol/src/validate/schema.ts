/** The part of JSON Schema (draft-07) that this validator knows. */
export interface ObjectSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: string | number | boolean | null;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly minimum?: number;
  readonly minLength?: number;
  readonly format?: string;
}

/** A schema, or `true` for "anything" and `false` for "nothing". */
export type Schema = boolean | ObjectSchema;

/** The definition that a `$ref` names. */
export const refName = (ref: string): string => ref.slice("#/definitions/".length);

/** True for a JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Bounds of the integer formats. 64-bit ones are left out: JavaScript's numbers cannot hold their bounds. */
export const integerBounds: { readonly [format: string]: readonly [least: number, most: number] } = {
  int8: [-128, 127],
  int16: [-32_768, 32_767],
  int32: [-2_147_483_648, 2_147_483_647],
  uint8: [0, 255],
  uint16: [0, 65_535],
  uint32: [0, 4_294_967_295],
  uint64: [0, Number.POSITIVE_INFINITY],
  uint: [0, Number.POSITIVE_INFINITY],
};
