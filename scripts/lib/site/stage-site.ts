import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../workspace.ts";
import { pageText, sitePages } from "./site-pages.ts";

/** The folder of the site's tools and settings. */
export const siteFolder: string = join(root, "site");
/** The pages that VitePress reads; made by {@link stageSite}. */
export const contentFolder: string = join(siteFolder, "content");

/** Copies all pages and pictures to `site/content`. Keeps the API, which takes longer to make. */
export function stageSite(): void {
  const pages = sitePages();
  for (const page of pages) writeChanged(join(contentFolder, page.target), pageText(page, pages));
  const images = join(root, "docs", "images");
  if (existsSync(images)) cpSync(images, join(contentFolder, "images"), { recursive: true });
}

/** Removes what an earlier run has made. */
export function clearSite(): void {
  rmSync(contentFolder, { recursive: true, force: true });
}

/** Leaves a page alone that did not change: the server would load it again. */
function writeChanged(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
