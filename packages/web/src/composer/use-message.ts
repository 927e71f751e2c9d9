import { type RefObject, useState } from "react";
import type { TurnOverrides } from "../state/actions.ts";
import { buildInput } from "./build-input.ts";
import type { ComposerProps } from "./composer-props.ts";
import { type AttachedImage, imagesOf, readImages } from "./images.ts";
import { dequeue, enqueue, type QueuedMessage, queuedText } from "./queue.ts";
import { parseCommand } from "./slash-commands.ts";
import { useAttempt } from "./use-attempt.ts";
import { useDraft } from "./use-draft.ts";
import { type SkillList, useSkills } from "./use-skills.ts";

/** The message in the making, and what can be done with it. */
export interface Message {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly overrides: TurnOverrides;
  readonly setOverrides: (overrides: TurnOverrides) => void;
  readonly images: readonly AttachedImage[];
  readonly addFiles: (files: readonly File[]) => Promise<void>;
  readonly removeImage: (id: string) => void;
  /** Whether the chosen model takes images. */
  readonly takesImages: boolean;
  readonly skills: SkillList;
  readonly problems: readonly string[];
  readonly report: (problem: string) => void;
  readonly canSend: boolean;
  /** Sends it. While a turn runs, `mode` says what that means. */
  readonly send: (mode: "steer" | "queue") => Promise<void>;
  /** Runs a slash command. */
  readonly run: (typed: string) => Promise<void>;
  /** Sends a queued message without waiting. */
  readonly sendQueued: (message: QueuedMessage) => Promise<void>;
  /** Takes a queued message back into the text. */
  readonly editQueued: (message: QueuedMessage) => void;
  /** Grows each time the model picker is to open. */
  readonly modelOpen: number;
}

/** Holds the message of a thread. */
export function useMessage(props: ComposerProps, textarea: RefObject<HTMLTextAreaElement | null>): Message {
  const { draftKey, working, disabledReason, models, settings } = props;
  const { text, overrides, setText, setOverrides } = useDraft(draftKey);
  const [images, setImages] = useState<readonly AttachedImage[]>([]);
  const [modelOpen, setModelOpen] = useState(0);
  const skills = useSkills(props.listSkills, settings.cwd);
  const focus = (): void => textarea.current?.focus({ preventScroll: true });
  const { busy, problems, setProblems, attempt } = useAttempt(focus);
  const model = models.value?.find((each) => each.model === (overrides.model ?? settings.model));
  const takesImages = model?.inputModalities?.includes("image") ?? true;
  const isEmpty = text.trim() === "" && images.length === 0;

  /** Puts a text back, before what was typed meanwhile. */
  const putBack = (words: string): void => setText((typed) => [words, typed].filter(Boolean).join("\n"));

  const run = async (typed: string): Promise<void> => {
    const { command, argument = "" } = parseCommand(typed) ?? {};
    if (command === undefined) return;
    if (command.needsThread && !props.hasThread) {
      return setProblems([`/${command.name} needs a thread: send a first message.`]);
    }
    if (command.argument === "required" && argument === "") {
      return setProblems([`/${command.name} needs a ${command.hint ?? "word"} behind it.`]);
    }
    setText("");
    if (command.name === "model") return setModelOpen((count) => count + 1);
    await attempt(
      () => props.onCommand(command.name, argument),
      () => putBack(typed),
    );
  };

  const send = async (mode: "steer" | "queue"): Promise<void> => {
    if (isEmpty || disabledReason !== null) return;
    if (images.length === 0 && parseCommand(text) !== undefined) return run(text);
    await attempt(
      async () => {
        const input = buildInput({ text, images, skills: await skills.named(text) });
        setText("");
        setImages([]);
        if (!working) {
          await props.onSend(input, overrides);
          setOverrides({});
        } else if (mode === "queue") enqueue(draftKey, input, overrides);
        else await props.onSteer(input);
      },
      () => {
        putBack(text);
        setImages((added) => [...images, ...added]);
      },
    );
  };

  const sendQueued = async ({ id }: QueuedMessage): Promise<void> => {
    const taken = dequeue(draftKey, id);
    if (taken === undefined) return;
    const { input, overrides: chosen } = taken;
    await attempt(
      () => (working ? props.onSteer(input) : props.onSend(input, chosen)),
      () => enqueue(draftKey, input, chosen),
    );
  };

  const editQueued = ({ id }: QueuedMessage): void => {
    const taken = dequeue(draftKey, id);
    if (taken === undefined) return;
    putBack(queuedText(taken));
    setImages([...images, ...imagesOf(taken.input)]);
    focus();
  };

  const addFiles = async (files: readonly File[]): Promise<void> => {
    if (files.length === 0) return;
    if (!takesImages) return setProblems(["This model takes no images: choose another one first."]);
    const added = await readImages(files, images);
    setImages((before) => [...before, ...added.images]);
    setProblems(added.problems);
  };

  return {
    ...{ text, setText, overrides, setOverrides, images, addFiles, takesImages, skills, problems, modelOpen },
    removeImage: (id) => setImages(images.filter((image) => image.id !== id)),
    report: (problem) => setProblems([problem]),
    canSend: !isEmpty && disabledReason === null && !busy,
    ...{ send, run, sendQueued, editQueued },
  };
}
