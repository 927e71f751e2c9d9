export { loadPage } from "./bundle/page.ts";
export type { PageFile } from "./bundle/page-file.ts";
