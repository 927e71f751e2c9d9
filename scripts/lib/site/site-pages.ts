import { readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { filesBelow, root } from "../workspace.ts";

/** A page of the site: where it comes from, and its path there. */
export interface SitePage {
  /** Absolute path of the source. */
  readonly source: string;
  /** Path on the site, with its ending: `recipes/ci.md`. */
  readonly target: string;
}

const docs = join(root, "docs");

/** Documents beside `docs` that are pages as well. */
const besideDocs: Readonly<Record<string, string>> = {
  "CHANGELOG.md": "changelog.md",
  "CONTEXT.md": "context.md",
  "CONTRIBUTING.md": "contributing.md",
  "SECURITY.md": "security.md",
};

/** All pages but those of the API, which TypeDoc writes. The README of `docs` is the home page. */
export function sitePages(): SitePage[] {
  const pages = filesBelow(docs, ".md").map((source) => {
    const path = relative(docs, source);
    const isIndex = basename(path) === "README.md";
    return { source, target: isIndex ? join(dirname(path), "index.md") : path };
  });
  const others = Object.entries(besideDocs).map(([file, target]) => ({ source: join(root, file), target }));
  const examples = filesBelow(join(root, "examples"), ".ts").map((source) => ({
    source,
    target: join("examples", `${relative(join(root, "examples"), source).replace(/\.ts$/, "")}.md`),
  }));
  return [...pages, ...others, ...examples];
}

const link = /(?<!!)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;
const fence = /^(\s*)(```|~~~)/;

/**
 * The text of a page as the site has it: links to other pages lead there, and those to files that the site does not have
 * are plain text.
 */
export function pageText(page: SitePage, pages: readonly SitePage[]): string {
  const text = readFileSync(page.source, "utf8");
  if (page.source.endsWith(".ts")) return examplePage(page, text);
  const targets = new Map(pages.map(({ source, target }) => [source, target]));
  let inFence = false;
  return text
    .split("\n")
    .map((line) => {
      if (fence.test(line)) inFence = !inFence;
      return inFence ? line : line.replace(link, (whole, label: string, href: string) => linkOf(whole, label, href));
    })
    .join("\n");

  function linkOf(whole: string, label: string, href: string): string {
    if (/^([a-z]+:|#)/.test(href)) return whole;
    const [path = "", hash] = href.split("#");
    const file = resolve(dirname(page.source), path);
    const target = targets.get(file) ?? targets.get(join(file, "README.md"));
    if (target === undefined) return label;
    const from = relative(dirname(page.target), target) || basename(target);
    return `[${label}](${from.startsWith(".") ? from : `./${from}`}${hash === undefined ? "" : `#${hash}`})`;
  }
}

/** An example, with the first line of its comment as the title. */
function examplePage({ source }: SitePage, text: string): string {
  const file = relative(root, source);
  return `# ${basename(source, ".ts")}\n\n\`${file}\`\n\n\`\`\`ts\n${text.trim()}\n\`\`\`\n`;
}
