/** JSON Schema of every wire type, for programs that write it down or generate code from it. */
export { definitions } from "../generated/schemas.ts";
