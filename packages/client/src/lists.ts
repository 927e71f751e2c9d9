/** Lists of any method with a cursor. */
export type { CursorMethod, ItemOf, Page, TwoWayCursorMethod } from "./calls/cursor-methods.ts";
export type { CursorParams } from "./calls/pages.ts";
export { type FetchPage, type PageRequest, paginate } from "./calls/paginate.ts";
