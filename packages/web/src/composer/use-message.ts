import { type RefObject, useRef, useState } from "react";
import type { TurnOverrides } from "../state/actions.ts";
import { composeWords } from "../words/words.ts";
import { buildInput, textOf } from "./build-input.ts";
import type { ComposerProps } from "./composer-props.ts";
import { doubtAbout } from "./doubt.ts";
import { type AttachedImage, imagesOf, readImages } from "./images.ts";
import { joinQueues, type QueuedMessage } from "./message-queue.ts";
import { usePageQueue } from "./queue.ts";
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
  readonly takesImages: boolean;
  readonly skills: SkillList;
  readonly problems: readonly string[];
  readonly report: (problem: string) => void;
  readonly canSend: boolean;
  /** Sends it. While a turn runs, `mode` says what that means. */
  readonly send: (mode: "steer" | "queue") => Promise<void>;
  readonly run: (typed: string) => Promise<void>;
  readonly queued: readonly QueuedMessage[];
  readonly sendQueued: (message: QueuedMessage) => Promise<void>;
  /** Takes a queued message back into the text. */
  readonly editQueued: (message: QueuedMessage) => Promise<void>;
  readonly removeQueued: (id: string) => Promise<void>;
  /** Lets a queued message have its turn one earlier; undefined where the order is fixed. */
  readonly moveQueuedUp?: ((id: string) => Promise<void>) | undefined;
  /** Grows each time the model picker is to open. */
  readonly modelOpen: number;
}

/** Holds the message of a thread. */
export function useMessage(props: ComposerProps, textarea: RefObject<HTMLTextAreaElement | null>): Message {
  const { draftKey, working, disabledReason, models, settings } = props;
  const { text, overrides, images, change } = useDraft(draftKey);
  const ownQueue = usePageQueue(draftKey);
  const queue = props.queue === undefined ? ownQueue : joinQueues(props.queue, ownQueue);
  const insisted = useRef<string | null>(null);
  const [modelOpen, setModelOpen] = useState(0);
  const skills = useSkills(props.listSkills, settings.cwd);
  const focus = (): void => textarea.current?.focus({ preventScroll: true });
  const { busy, problems, setProblems, attempt } = useAttempt(focus);
  const model = models.value?.find((each) => each.model === (overrides.model ?? settings.model));
  const takesImages = model?.inputModalities?.includes("image") ?? true;
  const isEmpty = text.trim() === "" && images.length === 0;

  const setText = (words: string): void => change(() => ({ text: words }));
  const setOverrides = (chosen: TurnOverrides): void => change(() => ({ overrides: chosen }));
  /** Puts something back, before what was added meanwhile. */
  const putBack = (words: string, pictures: readonly AttachedImage[] = []): void =>
    change((draft) => ({
      text: [words, draft.text].filter(Boolean).join("\n"),
      images: [...pictures, ...draft.images],
    }));

  const run = async (typed: string): Promise<void> => {
    const { command, argument = "" } = parseCommand(typed) ?? {};
    if (command === undefined) return;
    if (command.needsThread && !props.hasThread) {
      return setProblems([composeWords.needsThreadSendFirstMessage(command.name)]);
    }
    if (command.argument === "required" && argument === "") {
      return setProblems([composeWords.needsBehind(command.name, command.hint ?? "word")]);
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
    const doubt = insisted.current === text ? null : doubtAbout(text, props.asking === true);
    insisted.current = doubt === null ? null : text;
    if (doubt !== null) return setProblems([doubt]);
    await attempt(
      async () => {
        const input = buildInput({ text, images, skills: await skills.named(text) });
        change(() => ({ text: "", images: [] }));
        if (working && mode === "steer") return props.onSteer(input);
        await (working ? queue.add(input, overrides) : props.onSend(input, overrides));
        setOverrides({});
      },
      () => putBack(text, images),
    );
  };

  const sendQueued = (message: QueuedMessage): Promise<void> =>
    attempt(
      async () => {
        if (!working && queue.start !== undefined) return queue.start(message.id);
        if (!(await queue.take(message.id))) return;
        try {
          await (working ? props.onSteer(message.input) : props.onSend(message.input, message.overrides));
        } catch (error) {
          await queue.add(message.input, message.overrides);
          throw error;
        }
      },
      () => undefined,
    );

  const editQueued = (message: QueuedMessage): Promise<void> =>
    attempt(
      async () => {
        if (await queue.take(message.id)) putBack(textOf(message.input), imagesOf(message.input));
        else setProblems([composeWords.messageSentAlreadySayShould]);
      },
      () => undefined,
    );

  const removeQueued = (id: string): Promise<void> =>
    attempt(
      async () => void (await queue.take(id)),
      () => undefined,
    );

  const { order } = queue;
  const moveQueuedUp = order
    ? (id: string): Promise<void> =>
        attempt(
          () => order(movedUp(queue.messages, id)),
          () => undefined,
        )
    : undefined;

  const addFiles = async (files: readonly File[]): Promise<void> => {
    if (files.length === 0) return;
    if (!takesImages) return setProblems([composeWords.modelTakesNoImagesChoose]);
    const added = await readImages(files, images);
    change((draft) => ({ images: [...draft.images, ...added.images] }));
    setProblems(added.problems);
  };

  return {
    ...{ text, setText, overrides, setOverrides, images, addFiles, takesImages, skills, problems, modelOpen },
    removeImage: (id) => change((draft) => ({ images: draft.images.filter((image) => image.id !== id) })),
    report: (problem) => setProblems([problem]),
    canSend: !isEmpty && disabledReason === null && !busy,
    ...{ queued: queue.messages, send, run, sendQueued, editQueued, removeQueued, moveQueuedUp },
  };
}

/** The ids with one of them a place further to the front. */
function movedUp(messages: readonly QueuedMessage[], id: string): string[] {
  const ids = messages.map((message) => message.id);
  const at = ids.indexOf(id);
  return at < 1 ? ids : [...ids.slice(0, at - 1), id, ...ids.slice(at - 1, at), ...ids.slice(at + 1)];
}
