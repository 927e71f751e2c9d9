import { itemWords } from "../words/words.ts";
import { JsonView } from "./json-view.tsx";
import { Markdown } from "./markdown/markdown.tsx";
import { Picture } from "./picture.tsx";

/** Parts of a result that are shown. */
const maxParts = 50;

/** The output of a tool: texts, pictures, and anything else as data. Takes the forms of MCP, dynamic and model tools. */
export function ToolContent({ parts, foldKey }: { readonly parts: readonly unknown[]; readonly foldKey: string }) {
  return (
    <>
      {parts.slice(0, maxParts).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a result have no other name
        <Part key={index} part={part} foldKey={`${foldKey}/${index}`} />
      ))}
      {parts.length > maxParts && (
        <p className="items-note">
          {parts.length - maxParts} {itemWords.morePartsNotShown}
        </p>
      )}
    </>
  );
}

function Part({ part, foldKey }: { readonly part: unknown; readonly foldKey: string }) {
  const fields: Readonly<Record<string, unknown>> = typeof part === "object" && part !== null ? { ...part } : {};
  const { text, data, mimeType } = fields;
  if (typeof text === "string") return <TextPart text={text} foldKey={foldKey} />;
  const url = fields.imageUrl ?? fields.image_url;
  if (typeof url === "string") return <Picture url={url} alt={itemWords.imageFromTool} />;
  if (fields.type === "image" && typeof data === "string") {
    return <Picture url={`data:${String(mimeType)};base64,${data}`} alt={itemWords.imageFromTool} />;
  }
  return <JsonView data={part} foldKey={foldKey} />;
}

/** Data as data; prose as prose. */
function TextPart({ text, foldKey }: { readonly text: string; readonly foldKey: string }) {
  if (/^\s*[[{]/.test(text) || text.length > 20_000) return <JsonView data={text} foldKey={foldKey} />;
  return <Markdown text={text} foldKey={foldKey} className="items-prose" />;
}
