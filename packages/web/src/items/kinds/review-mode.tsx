import { SearchCheck } from "lucide-react";
import { placeOf } from "../../line-comments/comment-message.ts";
import { addLineComment, useLineComments } from "../../line-comments/comment-store.ts";
import { parseFileName, showFile } from "../../navigation/file-target.ts";
import { Button, Visible } from "../../ui/index.ts";
import { reviewWords } from "../../words/words.ts";
import { CopyButton } from "../copy-button.tsx";
import { relativePath } from "../format.ts";
import { useItemContext } from "../item-context.ts";
import type { ItemProps } from "../item-props.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Marker } from "../marker.tsx";
import { type Finding, reviewParts } from "./review-findings.ts";

/** A review begins. */
export function EnteredReviewMode({ item }: ItemProps<"enteredReviewMode">) {
  return <Marker icon={SearchCheck} title={reviewWords.started} detail={item.review} />;
}

/** A review ends with what it found; each finding leads to its lines. */
export function ExitedReviewMode({ item }: ItemProps<"exitedReviewMode">) {
  if (item.review.trim() === "") return <Marker icon={SearchCheck} title={reviewWords.ended} />;
  const { verdict, findings } = reviewParts(item.review);
  return (
    <section className="items-panel" aria-label={reviewWords.review}>
      <div className="items-panel-head">
        <SearchCheck size={14} aria-hidden="true" />
        <span className="items-title">{reviewWords.review}</span>
        <CopyButton label={reviewWords.copy} text={() => item.review} />
      </div>
      {verdict !== "" && <Markdown text={verdict} foldKey={item.id} className="items-panel-body" />}
      {findings.length > 0 && (
        <ol className="items-findings">
          {findings.map((finding, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two findings can be alike
            <li key={index}>
              <FindingView finding={finding} foldKey={`${item.id}/${index}`} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function FindingView({ finding, foldKey }: { readonly finding: Finding; readonly foldKey: string }) {
  const { cwd, commentsOf } = useItemContext();
  const comments = useLineComments(commentsOf ?? null);
  const { title, line, endLine, body } = finding;
  const file = parseFileName(finding.path, cwd);
  const comment = {
    ...{ path: relativePath(finding.path, cwd), line, endLine, removed: false, code: "" },
    text: [title, body].filter(Boolean).join("\n\n"),
  };
  const place = placeOf(comment);
  const isAdded = comments.some((each) => placeOf(each) === place && each.text === comment.text);
  return (
    <>
      <div className="items-finding-head">
        <span className="items-title">
          <Visible text={title} oneLine />
        </span>
        {file === null ? (
          <code className="md-code">{place}</code>
        ) : (
          <button type="button" className="md-file-link" onClick={() => showFile({ ...file, line })}>
            <code className="md-code">{place}</code>
          </button>
        )}
        {commentsOf !== undefined && (
          <Button
            size="small"
            variant="ghost"
            disabled={isAdded}
            aria-label={`${reviewWords.addFinding}: ${title}`}
            onClick={() => addLineComment(commentsOf, comment)}
          >
            {isAdded ? reviewWords.added : reviewWords.addFinding}
          </Button>
        )}
      </div>
      {body !== "" && <Markdown text={body} foldKey={foldKey} />}
    </>
  );
}
