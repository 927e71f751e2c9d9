import { builtinModules } from "node:module";
import { relative } from "node:path";
import { root } from "../../scripts/lib/workspace.ts";
import { binds, identifier, parse, type SyntaxNode, walk } from "./syntax.ts";

/** Globals that no browser has. Code may ask for them by `typeof`, or as members of `globalThis`. */
const foreignGlobals: ReadonlySet<string> = new Set(["process", "Buffer", "Bun", "global", "__dirname", "__filename"]);

const escaped = builtinModules.filter((name) => /^[a-z]/.test(name)).map((name) => name.replace("/", "\\/"));
const builtin = new RegExp(`^(node:|bun:|bun$|(${escaped.join("|")})$)`);

/** Bundles an entry for browsers and returns one line for each thing in it that no browser has. */
export async function browserProblems(entry: string): Promise<string[]> {
  const problems: string[] = [];
  const built = await Bun.build({
    entrypoints: [entry],
    target: "browser",
    // The sources, not the compiled output, so that the verdict is about the code at hand.
    conditions: ["bun"],
    // A peer of ours, which looks for its own globals by itself.
    external: ["react"],
    throw: false,
    plugins: [
      {
        name: "no-builtins",
        setup(build) {
          // Bun would put a polyfill in the place of some builtins without a word.
          build.onResolve({ filter: builtin }, ({ path, importer }) => {
            problems.push(`${relative(root, importer)} imports the builtin "${path}"`);
            return { path, external: true };
          });
        },
      },
    ],
  });
  if (!built.success) problems.push(...built.logs.map((log) => log.message));
  for (const output of built.outputs) problems.push(...foreignGlobalsIn(await output.text()));
  return [...new Set(problems)];
}

function foreignGlobalsIn(code: string): string[] {
  const found: string[] = [];
  const program: SyntaxNode = { type: "Program", start: 0, end: code.length, body: parse("bundle.js", code).body };
  walk([program], (node, around) => {
    const name = identifier(node);
    const parent = around.at(-1);
    if (name === undefined || !foreignGlobals.has(name) || !parent || !isReference(node, parent)) return;
    if (around.some((scope) => binds(scope, name))) return;
    const line = code.slice(code.lastIndexOf("\n", node.start) + 1, code.indexOf("\n", node.end)).trim();
    found.push(`the global "${name}" is used: ${line.slice(0, 100)}`);
  });
  return found;
}

/** Not a property's name, and not merely asked about by `typeof`. */
function isReference(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.type === "MemberExpression") return parent.object === node || parent.computed === true;
  if (parent.type === "Property") return parent.value === node;
  if (parent.type === "MethodDefinition" || parent.type === "PropertyDefinition") return parent.key !== node;
  return !(parent.type === "UnaryExpression" && parent.operator === "typeof");
}
