import { defineConfig } from "vitepress";
import { nav, sidebar } from "./sidebar.ts";

/** The site that `npm run docs` builds from the pages in `content`, which it copies there from `docs`. */
export default defineConfig({
  title: "Quire",
  description: "Build on Codex in TypeScript: client, server, web UI, agent framework and orchestrator",
  srcDir: "content",
  outDir: "dist",
  cleanUrls: true,
  lastUpdated: false,
  // Pages are Markdown alone: `{{ … }}` in them is text.
  vue: { template: { compilerOptions: { delimiters: ["[[[", "]]]"] } } },
  markdown: { theme: { light: "github-light", dark: "github-dark" } },
  themeConfig: {
    nav,
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
    footer: { message: "Apache-2.0" },
  },
});
