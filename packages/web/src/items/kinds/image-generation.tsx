import { ImagePlus } from "lucide-react";
import { itemWords } from "../../words/words.ts";
import { Activity } from "../activity.tsx";
import { clipped } from "../format.ts";
import { itemDuration } from "../item-duration.ts";
import type { ItemProps } from "../item-props.ts";
import { Picture } from "../picture.tsx";

/** A picture that the agent made. */
export function ImageGeneration({ item, state }: ItemProps<"imageGeneration">) {
  const failed = item.failure != null || item.status === "failed";
  const prompt = item.revisedPrompt ?? "";
  const result = "result" in item ? item.result : "";
  return (
    <Activity
      icon={ImagePlus}
      title={state.done ? itemWords.madeImage : itemWords.makingImage}
      detail={clipped(prompt, 160)}
      status={failed ? "failed" : state.done ? "done" : "running"}
      facts={itemDuration(state)}
      foldKey={item.id}
      initiallyOpen
    >
      {state.done && (
        <>
          {item.failure?.type === "usageLimitExceeded" && (
            <p className="items-error">{itemWords.limitImagesUsedUpTry}</p>
          )}
          {result !== "" && (
            <Picture url={asDataUrl(result)} alt={prompt === "" ? itemWords.generatedImage : clipped(prompt, 80)} />
          )}
          {result === "" && item.savedPath != null && <Picture path={item.savedPath} alt={itemWords.generatedImage} />}
          {item.savedPath != null && (
            <p className="items-note">
              {itemWords.saved} {item.savedPath}
            </p>
          )}
        </>
      )}
    </Activity>
  );
}

const asDataUrl = (result: string): string => (result.startsWith("data:") ? result : `data:image/png;base64,${result}`);
