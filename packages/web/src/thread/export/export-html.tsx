import { shellScript, type ThreadItem, type Turn } from "@quire/protocol";
import { type ReactNode, useLayoutEffect } from "react";
import { createRoot } from "react-dom/client";
import { Markdown } from "../../items/markdown/markdown.tsx";
import { exportWords as words } from "../../words/words.ts";
import { type CallText, callText } from "./call-text.ts";

/** A thread as one HTML file that needs nothing else: no script, no picture from elsewhere. */
export async function htmlOf(title: string, turns: readonly Turn[]): Promise<string> {
  const body = await rendered(<Document title={title} turns={turns} />);
  const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title><style>${style}</style>`;
  return `<!doctype html>\n<html lang="en"><head>${head}</head><body>${body}</body></html>\n`;
}

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Draws something apart from the page, and gives its HTML. */
function rendered(content: ReactNode): Promise<string> {
  return new Promise((resolve) => {
    const element = document.createElement("div");
    const root = createRoot(element);
    const done = (): void => {
      resolve(element.innerHTML);
      // A root must not end while it draws.
      queueMicrotask(() => root.unmount());
    };
    root.render(<Drawn onDrawn={done}>{content}</Drawn>);
  });
}

function Drawn({ onDrawn, children }: { readonly onDrawn: () => void; readonly children: ReactNode }): ReactNode {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is told once
  useLayoutEffect(() => onDrawn(), []);
  return children;
}

function Document({ title, turns }: { readonly title: string; readonly turns: readonly Turn[] }): ReactNode {
  return (
    <main>
      <h1>{title}</h1>
      {turns.map(({ id, items, error }) => (
        <section key={id}>
          {items.map((item) => (
            <Item key={item.id} item={item} />
          ))}
          {error && <p className="failed">{`${words.failed} ${error.message}`}</p>}
        </section>
      ))}
    </main>
  );
}

function Item({ item }: { readonly item: ThreadItem }): ReactNode {
  switch (item.type) {
    case "userMessage": {
      const text = item.content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
      return (
        <article className="you">
          <h2>{words.you}</h2>
          <p className="text">{text}</p>
        </article>
      );
    }
    case "agentMessage":
    case "plan":
      return item.text.trim() === "" ? null : (
        <article>
          <h2>{item.type === "plan" ? words.plan : words.agent}</h2>
          <Markdown text={item.text} foldKey={`export ${item.id}`} />
        </article>
      );
    case "exitedReviewMode":
      return (
        <article>
          <h2>{words.review}</h2>
          <Markdown text={item.review} foldKey={`export ${item.id}`} />
        </article>
      );
    case "commandExecution":
      return (
        <details>
          <summary>
            <code>{`$ ${shellScript(item.command)}`}</code>
          </summary>
          <pre>{(item.aggregatedOutput ?? "").trimEnd()}</pre>
        </details>
      );
    case "fileChange":
      return (item.changes ?? []).map(({ path, diff }) => (
        <details key={path}>
          <summary>
            <code>{path}</code>
          </summary>
          <pre>{diff.trimEnd()}</pre>
        </details>
      ));
    default:
      return <Call call={callText(item)} />;
  }
}

function Call({ call }: { readonly call: CallText | null }): ReactNode {
  if (call === null) return null;
  return (
    <details>
      <summary>
        <code>{call.title}</code>
      </summary>
      <pre>{call.body}</pre>
    </details>
  );
}

const style = `:root{color-scheme:light dark}body{margin:0;font:15px/1.6 system-ui,sans-serif}main{max-width:780px;margin:0 auto;padding:24px 16px}h1{font-size:22px}h2{margin:24px 0 4px;font-size:12px;font-weight:600;opacity:.7}.you{padding:4px 16px;border-radius:8px;background:color-mix(in srgb,currentColor 7%,transparent)}.text{white-space:pre-wrap;overflow-wrap:anywhere}pre{overflow:auto;padding:12px;border-radius:6px;background:color-mix(in srgb,currentColor 7%,transparent);font-size:13px}details{margin:8px 0}summary{cursor:pointer;overflow-wrap:anywhere}button:not(.md-file-link),svg{display:none}.md-file-link{all:unset}.failed{color:#c0342b}table{border-collapse:collapse}td,th{padding:4px 8px;border:1px solid color-mix(in srgb,currentColor 25%,transparent)}`;
