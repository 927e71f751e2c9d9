import { ArrowUp, CornerDownRight, ListEnd, Paperclip, Square } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { TurnOverrides } from "../state/actions.ts";
import { IconButton } from "../ui/index.ts";
import { phoneQuery, useMedia } from "../ui/use-media.ts";
import { composeWords } from "../words/words.ts";
import type { ComposerProps } from "./composer-props.ts";
import { imageTypes } from "./images.ts";
import { Options } from "./options.tsx";
import { Pickers } from "./pickers.tsx";

interface ComposerBarProps extends ComposerProps {
  readonly overrides: TurnOverrides;
  readonly onOverrides: (overrides: TurnOverrides) => void;
  readonly canSend: boolean;
  readonly takesImages: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  /** Grows each time the model picker is to open. */
  readonly modelOpen: number;
  /** Hears why something could not be done. */
  readonly onProblem: (error: unknown) => void;
}

/** The row below the text: attach, choices, Stop and Send. */
export function ComposerBar(props: ComposerBarProps) {
  const { working, followUp, onFollowUp, canSend, takesImages, modelOpen } = props;
  const [stopping, setStopping] = useState(false);
  const [optionsOpen, setOptionsOpen] = useState(false);
  const phone = useMedia(phoneQuery);
  const bar = useRef<HTMLDivElement>(null);
  const files = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (modelOpen === 0) return;
    if (phone) setOptionsOpen(true);
    else bar.current?.querySelector<HTMLButtonElement>(".composer-model")?.click();
  }, [modelOpen, phone]);
  useEffect(() => {
    if (!working) setStopping(false);
  }, [working]);

  const stop = async (): Promise<void> => {
    setStopping(true);
    await props.onStop().catch((error: unknown) => {
      setStopping(false);
      props.onProblem(error);
    });
  };
  const queues = followUp === "queue";
  const pickers = (
    <Pickers
      settings={props.settings}
      models={props.models}
      modelProblem={props.modelProblem}
      modes={props.modes}
      overrides={props.overrides}
      onChange={props.onOverrides}
    />
  );
  return (
    <div ref={bar} className="composer-bar">
      <input
        ref={files}
        type="file"
        multiple
        hidden
        accept={imageTypes.join(",")}
        onChange={(event) => {
          props.onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <IconButton
        label={takesImages ? composeWords.attachImages : composeWords.modelTakesNoImages}
        icon={<Paperclip size={16} />}
        disabled={!takesImages}
        onClick={() => files.current?.click()}
      />
      {phone ? (
        <Options open={optionsOpen} onOpen={setOptionsOpen} settings={props.settings} overrides={props.overrides}>
          {pickers}
        </Options>
      ) : (
        <div className="composer-pickers">{pickers}</div>
      )}
      {working && (
        <>
          <IconButton
            label={composeWords.queueMessagesUntilTurnEnds}
            icon={queues ? <ListEnd size={16} /> : <CornerDownRight size={16} />}
            aria-pressed={queues}
            onClick={() => onFollowUp(queues ? "steer" : "queue")}
          />
          <IconButton
            label={composeWords.stop}
            shortcut="Mod+."
            variant="danger"
            icon={<Square size={12} fill="currentColor" />}
            disabled={stopping}
            onClick={() => void stop()}
          />
        </>
      )}
      <IconButton
        type="submit"
        label={composeWords.send}
        shortcut={props.sendKey === "enter" ? "Enter" : "Mod+Enter"}
        variant="primary"
        icon={<ArrowUp size={16} />}
        disabled={!canSend}
      />
    </div>
  );
}
