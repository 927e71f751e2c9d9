export { loadPage, type PageFile } from "./page.ts";
