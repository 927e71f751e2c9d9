import { type Chunk, type ChunkLine, type FileOperation, PatchError } from "./patch.ts";

const begin = "*** Begin Patch";
const end = "*** End Patch";
const endOfFile = "*** End of File";
const headers = ["*** Add File: {path}", "*** Delete File: {path}", "*** Update File: {path}"];

/** Reads a patch. Blank lines and a here-document around it are tolerated. */
export function parsePatch(text: string): FileOperation[] {
  return new PatchReader(unwrap(text)).run();
}

/** Models wrap a patch into a here-document even where there is no shell. */
function unwrap(text: string): string[] {
  const lines = text.replace(/\r\n/g, "\n").trim().split("\n");
  const delimiter = /^<<\s*(['"]?)(\w+)\1$/.exec(lines[0] ?? "")?.[2];
  return delimiter !== undefined && lines.at(-1) === delimiter ? lines.slice(1, -1) : lines;
}

class PatchReader {
  readonly #lines: readonly string[];
  #at = 1;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  run(): FileOperation[] {
    if (this.#lines[0]?.trim() !== begin)
      throw new PatchError(`invalid patch: The first line of the patch must be '${begin}'`);
    if (this.#lines.at(-1)?.trim() !== end)
      throw new PatchError(`invalid patch: The last line of the patch must be '${end}'`);
    const operations: FileOperation[] = [];
    while (this.#more()) {
      if (this.#line().trim() === "") this.#at += 1;
      else operations.push(this.#operation());
    }
    return operations;
  }

  #operation(): FileOperation {
    const header = this.#line().trim();
    const [, verb, path] = /^\*\*\* (Add|Delete|Update) File: (.+)$/.exec(header) ?? [];
    if (verb === undefined || path === undefined) {
      throw this.#invalid(`'${header}' is not a valid hunk header. Valid hunk headers: '${headers.join("', '")}'`);
    }
    this.#at += 1;
    if (verb === "Add") return { type: "add", path, content: this.#added() };
    return verb === "Delete" ? { type: "delete", path } : this.#update(path);
  }

  #added(): string {
    let content = "";
    for (; this.#more() && this.#line().startsWith("+"); this.#at += 1) content += `${this.#line().slice(1)}\n`;
    return content;
  }

  #update(path: string): FileOperation {
    const headerLine = this.#at;
    const moveTo = /^\*\*\* Move to: (.+)$/.exec(this.#more() ? this.#line().trimEnd() : "")?.[1] ?? null;
    if (moveTo !== null) this.#at += 1;
    const chunks: Chunk[] = [];
    while (this.#more() && !this.#line().startsWith("*** ")) chunks.push(this.#chunk(chunks.length === 0));
    if (chunks.length === 0 && moveTo === null) {
      throw new PatchError(`invalid hunk at line ${headerLine}, Update file hunk for path '${path}' is empty`);
    }
    return { type: "update", path, moveTo, chunks };
  }

  #chunk(first: boolean): Chunk {
    const patchLine = this.#at + 1;
    const headings: string[] = [];
    for (; this.#more() && this.#line().startsWith("@@"); this.#at += 1) headings.push(...heading(this.#line()));
    if (patchLine === this.#at + 1 && !first) {
      throw this.#invalid(`Expected update hunk to start with a @@ context marker, got: '${this.#line()}'`);
    }
    const lines: ChunkLine[] = [];
    for (; this.#more(); this.#at += 1) {
      const line = chunkLine(this.#line());
      if (!line) break;
      lines.push(line);
    }
    const atEnd = this.#more() && this.#line().trim() === endOfFile;
    if (atEnd) this.#at += 1;
    if (lines.length > 0) return { headings, lines, atEnd, patchLine };
    if (!this.#more()) throw this.#invalid("Update hunk does not contain any lines");
    throw this.#invalid(
      `Unexpected line found in update hunk: '${this.#line()}'. Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)`,
    );
  }

  #more(): boolean {
    return this.#at < this.#lines.length - 1;
  }

  #line(): string {
    return this.#lines[this.#at] ?? "";
  }

  #invalid(reason: string): PatchError {
    return new PatchError(`invalid hunk at line ${this.#at + 1}, ${reason}`);
  }
}

/** The text after `@@`. Line numbers, as in other patch formats, are ignored. */
function heading(line: string): string[] {
  const text = line
    .slice(2)
    .trim()
    .replace(/^-\d+(,\d+)? \+\d+(,\d+)? @@ ?/, "");
  return text === "" ? [] : [text];
}

function chunkLine(line: string): ChunkLine | undefined {
  if (line === "") return { kind: "keep", text: "" };
  const text = line.slice(1);
  if (line.startsWith(" ")) return { kind: "keep", text };
  if (line.startsWith("-")) return { kind: "remove", text };
  return line.startsWith("+") ? { kind: "insert", text } : undefined;
}
