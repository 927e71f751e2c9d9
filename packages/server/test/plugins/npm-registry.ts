import { createHash } from "node:crypto";

/** A registry with one package in one version. */
export interface NpmRegistry extends AsyncDisposable {
  readonly url: string;
}

/** What the package is, and what is in it. */
export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** Paths within the archive, which should begin with `package/`, and contents. */
  readonly files: Readonly<Record<string, string>>;
}

/** Starts one, over http, as npm talks to it. */
export async function npmRegistry({ name, version, files }: NpmPackage): Promise<NpmRegistry> {
  const archive = await new Bun.Archive({ ...files }, { compress: "gzip" }).bytes();
  const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname, origin } = new URL(request.url);
      if (pathname === "/archive.tgz") return new Response(archive);
      if (decodeURIComponent(pathname) !== `/${name}`) return Response.json({}, { status: 404 });
      const dist = { tarball: `${origin}/archive.tgz`, integrity };
      return Response.json({
        name,
        "dist-tags": { latest: version },
        versions: { [version]: { name, version, dist } },
      });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) };
}
