import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { pageHeaders, textAnswer } from "./headers.ts";

/** A file of the page. */
export interface PageFile {
  /** `/` for the page itself; what is under `/assets/` never changes. */
  readonly path: string;
  readonly type: string;
  readonly body: Uint8Array;
}

type Encoding = "br" | "gzip";

/** Below this, and for what is compressed as it is, packing costs more than it saves. */
const minBytes = 1024;
const packable = /^(text\/|application\/(javascript|json|manifest\+json)|image\/svg)/;

/** Serves the files of the page, packed on the first request for each. */
export class PageFiles {
  readonly #load: () => Promise<readonly PageFile[]>;
  readonly #packed = new Map<string, Promise<Uint8Array>>();
  #files: Promise<ReadonlyMap<string, PageFile>>;
  #failed = false;

  /** @param load Called at once, and after a failure again by the next request; requests wait for it. */
  constructor(load: () => Promise<readonly PageFile[]>) {
    this.#load = load;
    this.#files = this.#loadAll();
  }

  /** Resolves when the page can be served. */
  async ready(): Promise<void> {
    await this.#files;
  }

  #loadAll(): Promise<ReadonlyMap<string, PageFile>> {
    this.#failed = false;
    const files = this.#load().then((list) => new Map(list.map((file) => [file.path, file])));
    // Shown instead of the page, and tried again: a source file may just have been half written.
    files.catch(() => {
      this.#failed = true;
    });
    return files;
  }

  async answer(request: Request, path: string): Promise<Response> {
    if (request.method !== "GET" && request.method !== "HEAD") {
      return textAnswer(405, "Only GET and HEAD are served here.", { Allow: "GET, HEAD" });
    }
    if (this.#failed) this.#files = this.#loadAll();
    let file: PageFile | undefined;
    try {
      file = (await this.#files).get(path);
    } catch (error) {
      return textAnswer(500, `The page could not be built: ${(error as Error).message}`);
    }
    return file ? this.#serve(request, file) : textAnswer(404, "There is nothing here.");
  }

  async #serve({ headers, method }: Request, file: PageFile): Promise<Response> {
    const encoding = this.#encodingFor(file, headers.get("accept-encoding") ?? "");
    const body = encoding ? await this.#pack(file, encoding) : file.body;
    const immutable = file.path.startsWith("/assets/");
    return new Response(method === "HEAD" ? null : (body as Uint8Array<ArrayBuffer>), {
      headers: {
        ...pageHeaders(headers.get("host") ?? ""),
        "Content-Type": file.type,
        "Content-Length": String(body.byteLength),
        "Cache-Control": immutable ? "public, max-age=31536000, immutable" : "no-cache",
        Vary: "Accept-Encoding",
        ...(encoding && { "Content-Encoding": encoding }),
      },
    });
  }

  #encodingFor({ body, type }: PageFile, accepted: string): Encoding | undefined {
    if (body.byteLength < minBytes || !packable.test(type)) return undefined;
    const names = accepted.split(",").filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part));
    const accepts = (name: Encoding) => names.some((part) => part.trim().split(";")[0]?.trim() === name);
    return accepts("br") ? "br" : accepts("gzip") ? "gzip" : undefined;
  }

  #pack({ path, body }: PageFile, encoding: Encoding): Promise<Uint8Array> {
    const key = `${encoding} ${path}`;
    const known = this.#packed.get(key);
    if (known) return known;
    // Not the best that can be had: this happens while somebody waits for the page.
    const packed =
      encoding === "br"
        ? promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
        : promisify(gzip)(body, { level: 6 });
    this.#packed.set(key, packed);
    return packed;
  }
}
