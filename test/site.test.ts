import assert from "node:assert/strict";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { pageText, sitePages } from "../scripts/lib/site/site-pages.ts";
import { type SidebarEntry, sidebar } from "../site/.vitepress/sidebar.ts";

const pages = sitePages();
const texts = new Map(pages.map((page) => [page.target, pageText(page, pages)]));

const linksIn = (entries: readonly SidebarEntry[]): string[] =>
  entries.flatMap(({ link, items }) => [...(link === undefined ? [] : [link]), ...linksIn(items ?? [])]);

/** The path of a page as the sidebar names it. */
const addressOf = (target: string) => `/${target.replace(/(index)?\.md$/, "")}`;

test("readers find every page in the sidebar, and no entry leads nowhere", () => {
  const listed = linksIn(sidebar).filter((link) => link !== "/reference/");
  const there = pages.map(({ target }) => addressOf(target)).filter((address) => address !== "/");
  const shown = there.filter((address) => !address.startsWith("/examples/"));
  assert.deepEqual(listed.toSorted(), shown.toSorted());
});

test("every link within the site leads to a page, and to a heading that is there", () => {
  const dead = [...texts].flatMap(([target, text]) =>
    deadLinks(target, withoutCode(text)).map((link) => `${target}: ${link}`),
  );
  assert.deepEqual(dead, []);
});

test("a dead link and a missing heading are reported", () => {
  assert.deepEqual(deadLinks("a.md", "[x](./nowhere.md) [y](./client.md#no-such-heading) [z](./client.md#threads)"), [
    "./nowhere.md",
    "./client.md#no-such-heading",
  ]);
});

test("a link to a file that the site lacks is plain text, and one to an example leads to its page", () => {
  const client = texts.get("client.md") ?? "";
  assert.match(client, /\[02-approvals\.ts\]\(\.\/examples\/02-approvals\.md\)/);
  assert.doesNotMatch(texts.get("architecture.md") ?? "", /\]\(\.\.\/packages\//);
});

function deadLinks(target: string, text: string): string[] {
  const links = [...text.matchAll(/(?<!!)\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? "");
  return links.filter((link) => {
    if (/^[a-z]+:|^images\//.test(link)) return false;
    const [path = "", hash] = link.split("#");
    const file = path === "" ? target : normalize(join(dirname(target), path));
    const found = texts.get(file);
    if (found === undefined) return !file.startsWith("reference");
    return hash !== undefined && !headings(found).has(decodeURIComponent(hash));
  });
}

/** The ids that headings get, on GitHub and on the site alike. */
function headings(text: string): Set<string> {
  const ids = new Set<string>();
  for (const [, title = ""] of withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = title.replace(/[`*]/g, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    ids.add(
      plain
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replace(/\s/g, "-"),
    );
  }
  return ids;
}

function withoutCode(text: string): string {
  return text.replace(/^(```|~~~)[\s\S]*?^\1/gm, "");
}
