import { Image as ImageIcon, ImageOff } from "lucide-react";
import { useEffect, useState } from "react";
import { Dialog, Spinner } from "../ui/index.ts";
import { itemWords } from "../words/words.ts";
import { baseName } from "./format.ts";
import { useItemContext } from "./item-context.ts";
import { safeImage, safeLink } from "./markdown/safe-url.ts";
import { WebLink } from "./markdown/web-link.tsx";

const types: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    avif: "avif",
    bmp: "bmp",
    gif: "gif",
    jpeg: "jpeg",
    jpg: "jpeg",
    png: "png",
    webp: "webp",
  }),
);

/** True for a file that can be shown as a picture. */
export const isPicture = (path: string): boolean => typeOf(path) !== undefined;

const typeOf = (path: string): string | undefined => types.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase());

/** Source of a picture: a file of the hub's machine, or an address. */
export interface PictureProps {
  readonly path?: string | undefined;
  readonly url?: string | undefined;
  readonly alt: string;
}

/**
 * A picture, larger on a click. Files are read through the hub; addresses elsewhere are only linked, for loading them
 * would tell their server who reads the thread.
 */
export function Picture({ path, url, alt }: PictureProps) {
  if (path !== undefined) return <FilePicture path={path} alt={alt} />;
  const data = url === undefined ? null : safeImage(url);
  if (data !== null) return <Shown source={data} alt={alt} />;
  const link = url === undefined ? null : safeLink(url);
  if (link === null) return <Missing text={itemWords.pictureCannotShown} />;
  return (
    <WebLink className="items-picture-link" href={link} text={alt}>
      <ImageIcon size={14} aria-hidden="true" /> {alt}
    </WebLink>
  );
}

type Loaded = { readonly source: string } | { readonly error: string } | null;

function FilePicture({ path, alt }: { readonly path: string; readonly alt: string }) {
  const { readFile } = useItemContext();
  const [loaded, setLoaded] = useState<Loaded>(null);
  const type = typeOf(path);
  useEffect(() => {
    if (readFile === null || type === undefined) return;
    let wanted = true;
    readFile(path).then(
      (base64) => wanted && setLoaded({ source: `data:image/${type};base64,${base64}` }),
      (error: unknown) => wanted && setLoaded({ error: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      wanted = false;
    };
  }, [path, type, readFile]);
  if (readFile === null || type === undefined) return <Missing text={baseName(path)} />;
  if (loaded === null) return <Spinner label={itemWords.loading(baseName(path))} />;
  if ("error" in loaded) return <Missing text={itemWords.couldNotRead(baseName(path), loaded.error)} />;
  const source = safeImage(loaded.source);
  return source === null ? <Missing text={baseName(path)} /> : <Shown source={source} alt={alt} />;
}

function Shown({ source, alt }: { readonly source: string; readonly alt: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="items-picture" aria-label={itemWords.enlarge(alt)} onClick={() => setOpen(true)}>
        <img src={source} alt={alt} />
      </button>
      {open && (
        <Dialog title={alt} size="large" onClose={() => setOpen(false)}>
          <img className="items-picture-large" src={source} alt={alt} />
        </Dialog>
      )}
    </>
  );
}

function Missing({ text }: { readonly text: string }) {
  return (
    <span className="items-picture-missing">
      <ImageOff size={14} aria-hidden="true" /> {text}
    </span>
  );
}
