import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { typeFolder } from "./layout.ts";
import { printType } from "./print-type.ts";
import { type Method, references, type Schema, type Surface } from "./surface.ts";

const header = "// GENERATED CODE! DO NOT MODIFY BY HAND!\n\n";

/** Writes a file for every type, one for each direction, and an index for each folder. */
export function writeTypescript(out: string, { methods, types }: Surface): void {
  mkdirSync(join(out, "v2"), { recursive: true });
  const written: string[] = [];
  const put = (name: string, body: string, uses: readonly string[]) => {
    const folder = typeFolder(name);
    const lines = [...new Set(uses)].filter((each) => each !== name).sort();
    const imports = lines.map((each) => `import type { ${each} } from "${pathTo(folder, each)}";\n`).join("");
    const text = `${header}${imports}${imports === "" ? "" : "\n"}export type ${name} = ${body};\n`;
    writeFileSync(join(out, folder, `${name}.ts`), text);
    written.push(name);
  };
  for (const [name, schema] of types) put(name, printType(schema as Schema), references(schema));
  const union = (name: string, from: Method["from"], kind: Method["kind"]) => {
    const chosen = methods.filter((each) => each.from === from && each.kind === kind);
    const uses = [...chosen.flatMap(({ params }) => params ?? []), ...(kind === "request" ? ["RequestId"] : [])];
    put(name, chosen.map(message).join(" | ") || "never", uses);
  };
  union("ClientNotification", "client", "notification");
  union("ClientRequest", "client", "request");
  union("ServerNotification", "server", "notification");
  union("ServerRequest", "server", "request");
  for (const folder of ["", "v2"] as const) {
    const names = written.filter((name) => typeFolder(name) === folder).sort();
    const rows = names.map((name) => `export type { ${name} } from "./${name}";\n`).join("");
    writeFileSync(
      join(out, folder, "index.ts"),
      `${header}${rows}${folder === "" ? 'export * as v2 from "./v2";\n' : ""}`,
    );
  }
}

function message({ name, kind, params, optional }: Method): string {
  const id = kind === "request" ? ", id: RequestId" : "";
  if (params === null) return `{ "method": "${name}"${id}${kind === "request" ? ", params: undefined" : ""} }`;
  return `{ "method": "${name}"${id}, params${optional ? "?" : ""}: ${params} }`;
}

function pathTo(folder: "" | "v2", name: string): string {
  const target = typeFolder(name);
  if (folder === target) return `./${name}`;
  return folder === "" ? `./v2/${name}` : `../${name}`;
}
