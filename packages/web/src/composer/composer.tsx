import { useCallback, useEffect, useId, useRef, useState } from "react";
import { messageOf } from "../state/message-of.ts";
import { Notice } from "../ui/index.ts";
import { Attachments } from "./attachments.tsx";
import { buildInput } from "./build-input.ts";
import "./composer.css";
import { ComposerBar } from "./composer-bar.tsx";
import type { ComposerProps } from "./composer-props.ts";
import { type AttachedImage, filesOf, readImages } from "./images.ts";
import { dequeue, enqueue, type QueuedMessage, useQueue } from "./queue.ts";
import { QueueList } from "./queue-list.tsx";
import { parseCommand } from "./slash-commands.ts";
import { SuggestionList } from "./suggestion-list.tsx";
import type { Suggestion } from "./suggestions.ts";
import { useAutoGrow } from "./use-auto-grow.ts";
import { useCompletion } from "./use-completion.ts";
import { useDraft } from "./use-draft.ts";
import { useSkills } from "./use-skills.ts";

/** The textbox with all that belongs to it. Key it by `draftKey`. */
export function Composer(props: ComposerProps) {
  const { draftKey, working, disabledReason, followUp, sendKey, models, settings } = props;
  const { text, overrides, setText, setOverrides } = useDraft(draftKey);
  const [images, setImages] = useState<readonly AttachedImage[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [sending, setSending] = useState(false);
  const [dragging, setDragging] = useState(false);
  const [modelOpen, setModelOpen] = useState(0);
  const textarea = useRef<HTMLTextAreaElement>(null);
  const queue = useQueue(draftKey);
  const skills = useSkills(props.listSkills, settings.cwd);
  const completion = useCompletion({
    textarea,
    text,
    setText,
    sources: { searchFiles: props.searchFiles, listSkills: skills.load, hasThread: props.hasThread },
    onCommand: (command) => void runCommand(`/${command.name}`),
  });
  const reasonId = useId();
  useAutoGrow(textarea, text);
  useEffect(() => {
    if (props.autoFocus === true && matchMedia("(pointer: fine)").matches) textarea.current?.focus();
  }, [props.autoFocus]);

  const isEmpty = text.trim() === "" && images.length === 0;
  const model = models.value?.find((each) => each.model === (overrides.model ?? settings.model));
  const takesImages = model?.inputModalities?.includes("image") ?? true;

  const attempt = async (action: () => Promise<void>, undo: () => void): Promise<void> => {
    setProblems([]);
    setSending(true);
    try {
      await action();
    } catch (error) {
      undo();
      setProblems([messageOf(error)]);
    } finally {
      setSending(false);
      textarea.current?.focus({ preventScroll: true });
    }
  };

  const runCommand = async (typed: string): Promise<boolean> => {
    const parsed = parseCommand(typed);
    if (parsed === undefined) return false;
    const { command, argument } = parsed;
    if (command.needsThread && !props.hasThread) {
      setProblems([`/${command.name} needs a thread: send a first message.`]);
      return true;
    }
    if (command.argument === "required" && argument === "") {
      setProblems([`/${command.name} needs a ${command.hint ?? "word"} behind it.`]);
      return true;
    }
    setText("");
    if (command.name === "model") setModelOpen((count) => count + 1);
    else
      await attempt(
        () => props.onCommand(command.name, argument),
        () => setText(typed),
      );
    return true;
  };

  const send = async (mode: "steer" | "queue"): Promise<void> => {
    if (isEmpty || disabledReason !== null || sending) return;
    if (images.length === 0 && (await runCommand(text))) return;
    const input = buildInput({ text, images, skills: await skills.named(text) });
    const before = { text, images };
    setText("");
    setImages([]);
    await attempt(
      async () => {
        if (!working) await props.onSend(input, overrides);
        else if (mode === "queue") enqueue(draftKey, input, overrides);
        else await props.onSteer(input);
        if (!working) setOverrides({});
      },
      () => {
        setText(before.text);
        setImages(before.images);
      },
    );
  };

  const addFiles = useCallback(
    async (files: readonly File[]) => {
      if (files.length === 0) return;
      if (!takesImages) {
        setProblems(["This model takes no images: choose another one first."]);
        return;
      }
      const added = await readImages(files, images);
      setImages((before) => [...before, ...added.images]);
      setProblems(added.problems);
    },
    [images, takesImages],
  );

  const sendQueued = async ({ id }: QueuedMessage): Promise<void> => {
    const taken = dequeue(draftKey, id);
    if (taken === undefined) return;
    const { input, overrides: chosen } = taken;
    await attempt(
      () => (working ? props.onSteer(input) : props.onSend(input, chosen)),
      () => enqueue(draftKey, input, chosen),
    );
  };

  const edit = (message: QueuedMessage): void => {
    const taken = dequeue(draftKey, message.id);
    if (taken === undefined) return;
    const words = taken.input.map((part) => (part.type === "text" ? part.text : "")).join("");
    setText([text, words].filter(Boolean).join("\n"));
    const again = taken.input.flatMap((part) =>
      part.type === "image" && "url" in part
        ? [{ id: crypto.randomUUID(), name: "image", url: part.url, bytes: part.url.length }]
        : [],
    );
    setImages((before) => [...before, ...again]);
    textarea.current?.focus();
  };

  const keyDown = (event: React.KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (completion.onKeyDown(event)) return;
    if (event.key !== "Enter" || event.shiftKey) return;
    const modified = event.ctrlKey || event.metaKey;
    // On a touch keyboard Enter has no Shift beside it: there it makes a line, and the button sends.
    const sends = event.altKey || modified || (sendKey === "enter" && matchMedia("(pointer: fine)").matches);
    if (!sends) return;
    event.preventDefault();
    const other = followUp === "steer" ? "queue" : "steer";
    void send(event.altKey ? other : followUp);
  };

  const { trigger, found, active, listId } = completion;
  return (
    <form
      className={`composer ${dragging ? "is-dragging" : ""}`}
      aria-label="Composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send(followUp);
      }}
      onDragOver={(event) => {
        event.preventDefault();
        setDragging(true);
      }}
      onDragLeave={() => setDragging(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDragging(false);
        void addFiles(filesOf(event.dataTransfer));
      }}
    >
      {problems.map((problem) => (
        <Notice key={problem} tone="danger">
          {problem}
        </Notice>
      ))}
      <QueueList
        queue={queue}
        onEdit={edit}
        onRemove={(id) => dequeue(draftKey, id)}
        onSend={disabledReason === null && !sending ? (message) => void sendQueued(message) : undefined}
      />
      {trigger !== undefined && (
        <SuggestionList
          id={listId}
          kind={trigger.kind}
          found={found}
          active={active}
          onActivate={completion.setActive}
          onChoose={(suggestion: Suggestion) => completion.choose(suggestion)}
        />
      )}
      <div className="composer-box">
        <Attachments images={images} onRemove={(id) => setImages(images.filter((image) => image.id !== id))} />
        <textarea
          ref={textarea}
          className="composer-text"
          aria-label="Message"
          placeholder={placeholder(working, followUp)}
          rows={1}
          value={text}
          aria-describedby={disabledReason === null ? undefined : reasonId}
          {...completion.aria}
          onChange={(event) => {
            setText(event.target.value);
            completion.onCaret(event.target.selectionStart);
          }}
          onSelect={(event) => completion.onCaret(event.currentTarget.selectionStart)}
          onBlur={completion.close}
          onKeyDown={keyDown}
          onPaste={(event) => {
            const files = filesOf(event.clipboardData);
            if (files.length === 0) return;
            event.preventDefault();
            void addFiles(files);
          }}
        />
        <ComposerBar
          {...props}
          overrides={overrides}
          onOverrides={setOverrides}
          modelOpen={modelOpen}
          canSend={!isEmpty && disabledReason === null && !sending}
          takesImages={takesImages}
          onFiles={(files) => void addFiles(files)}
          onProblem={(error) => setProblems([messageOf(error)])}
        />
      </div>
      {disabledReason !== null && (
        <p id={reasonId} className="composer-reason">
          {disabledReason}
        </p>
      )}
    </form>
  );
}

function placeholder(working: boolean, followUp: "steer" | "queue"): string {
  if (!working) return "Message the agent. @ names a file, $ a skill, / a command";
  return followUp === "steer"
    ? "Tell the agent what to change while it works"
    : "What comes next, when this turn is done";
}
