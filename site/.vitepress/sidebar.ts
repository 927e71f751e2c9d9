/** A page of the site, or a group of pages. `link` is the page's path without its ending. */
export interface SidebarEntry {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: SidebarEntry[];
}

/** The links at the top of each page. */
export const nav: SidebarEntry[] = [
  { text: "Quickstart", link: "/quickstart" },
  { text: "Guides", link: "/client" },
  { text: "Recipes", link: "/recipes/" },
  { text: "Reference", link: "/reference/" },
];

/** All pages, in reading order. A test fails when a page of `docs` is missing here. */
export const sidebar: SidebarEntry[] = [
  {
    text: "Start",
    items: [
      { text: "Install", link: "/install" },
      { text: "Quickstart", link: "/quickstart" },
      { text: "Compared with others", link: "/comparison" },
    ],
  },
  {
    text: "Guides",
    items: [
      { text: "Client", link: "/client" },
      { text: "React", link: "/react" },
      { text: "Agent", link: "/agent" },
      { text: "Server", link: "/server" },
      { text: "Models", link: "/models" },
      { text: "Web UI", link: "/web" },
      { text: "Gateway", link: "/gateway" },
      { text: "Orchestrator", link: "/orchestrator" },
      { text: "Command line", link: "/cli" },
      { text: "Test kit", link: "/testkit" },
    ],
  },
  {
    text: "Recipes",
    items: [
      { text: "All recipes", link: "/recipes/" },
      { text: "Approvals", link: "/recipes/approvals" },
      { text: "Approvals in your UI", link: "/recipes/approvals-ui" },
      { text: "Your own site", link: "/recipes/http" },
      { text: "A review in CI", link: "/recipes/ci-review" },
      { text: "GitHub Actions", link: "/recipes/github-actions" },
      { text: "Your own model", link: "/recipes/own-model" },
      { text: "Tests", link: "/recipes/tests" },
      { text: "Evals", link: "/recipes/evals" },
    ],
  },
  {
    text: "Reference",
    items: [
      { text: "API", link: "/reference/" },
      { text: "Exported names", link: "/exports" },
      { text: "Errors you will meet", link: "/errors" },
      { text: "Compatibility", link: "/compatibility" },
      { text: "Clients of Codex", link: "/clients" },
      { text: "Protocol", link: "/protocol" },
      { text: "JSON-RPC", link: "/jsonrpc" },
      { text: "Client coverage", link: "/coverage" },
      { text: "Conformance", link: "/conformance" },
      { text: "Words", link: "/context" },
      { text: "Changelog", link: "/changelog" },
    ],
  },
  {
    text: "Operations",
    items: [
      { text: "Running Quire", link: "/operations" },
      { text: "Many machines", link: "/fleet" },
      { text: "Sandbox", link: "/sandbox" },
      { text: "Security", link: "/security" },
      { text: "Benchmarks", link: "/benchmarks" },
    ],
  },
  {
    text: "Internals",
    items: [
      { text: "Architecture", link: "/architecture" },
      { text: "Contributing", link: "/contributing" },
    ],
  },
];
