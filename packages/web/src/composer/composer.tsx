import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { messageOf } from "../state/message-of.ts";
import { Notice } from "../ui/index.ts";
import { phoneQuery, useMedia } from "../ui/use-media.ts";
import { composeWords } from "../words/words.ts";
import { Attachments } from "./attachments.tsx";
import "./composer.css";
import { ComposerBar } from "./composer-bar.tsx";
import type { ComposerProps } from "./composer-props.ts";
import { filesOf } from "./images.ts";
import { QueueList } from "./queue-list.tsx";
import { SuggestionList } from "./suggestion-list.tsx";
import { useAutoGrow } from "./use-auto-grow.ts";
import { useCompletion } from "./use-completion.ts";
import { useKeptFocus } from "./use-kept-focus.ts";
import { useMessage } from "./use-message.ts";

/** The textbox with all that belongs to it. Key it by `draftKey`. */
export function Composer(props: ComposerProps) {
  const { working, disabledReason, followUp, sendKey, autoFocus = false } = props;
  const textarea = useRef<HTMLTextAreaElement>(null);
  const message = useMessage(props, textarea);
  const { text, setText } = message;
  const [dragging, setDragging] = useState(false);
  const reasonId = useId();
  const phone = useMedia(phoneQuery);
  const completion = useCompletion({
    textarea,
    text,
    setText,
    sources: { searchFiles: props.searchFiles, listSkills: message.skills.load, hasThread: props.hasThread },
    onCommand: (command) => void message.run(`/${command.name}`),
  });
  useAutoGrow(textarea, text);
  useKeptFocus(textarea);
  useEffect(() => {
    if (autoFocus && hasKeyboard()) textarea.current?.focus();
  }, [autoFocus]);

  const keyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing || completion.onKeyDown(event)) return;
    // Out of the text, single letters answer questions.
    if (event.key === "Escape") event.currentTarget.blur();
    if (event.key !== "Enter" || event.shiftKey) return;
    const sends = event.altKey || event.ctrlKey || event.metaKey || (sendKey === "enter" && hasKeyboard());
    if (!sends) return;
    event.preventDefault();
    const other = followUp === "steer" ? "queue" : "steer";
    void message.send(event.altKey ? other : followUp);
  };

  return (
    <form
      className={`composer ${dragging ? "is-dragging" : ""}`}
      aria-label={composeWords.composer}
      onSubmit={(event) => {
        event.preventDefault();
        void message.send(followUp);
      }}
      onDragOver={(event) => {
        event.preventDefault();
        setDragging(true);
      }}
      onDragLeave={() => setDragging(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDragging(false);
        void message.addFiles(filesOf(event.dataTransfer));
      }}
    >
      {message.problems.map((problem) => (
        <Notice key={problem} tone="danger">
          {problem}
        </Notice>
      ))}
      <QueueList
        queue={message.queued}
        onEdit={(queued) => void message.editQueued(queued)}
        onRemove={(id) => void message.removeQueued(id)}
        onMoveUp={message.moveQueuedUp && ((id) => void message.moveQueuedUp?.(id))}
        onSend={disabledReason === null ? (queued) => void message.sendQueued(queued) : undefined}
      />
      {completion.trigger !== undefined && (
        <SuggestionList
          id={completion.listId}
          trigger={completion.trigger}
          found={completion.found}
          active={completion.active}
          onActivate={completion.setActive}
          onChoose={completion.choose}
        />
      )}
      <div className="composer-box">
        <Attachments images={message.images} onRemove={message.removeImage} />
        <textarea
          ref={textarea}
          className="composer-text"
          aria-label={composeWords.message}
          placeholder={placeholders[phone ? "phone" : "wide"][working ? followUp : "idle"]}
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
            void message.addFiles(files);
          }}
        />
        <ComposerBar
          {...props}
          overrides={message.overrides}
          onOverrides={message.setOverrides}
          modelOpen={message.modelOpen}
          canSend={message.canSend}
          takesImages={message.takesImages}
          onFiles={(files) => void message.addFiles(files)}
          onProblem={(error) => message.report(messageOf(error))}
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

/** Touch keyboards have no Shift+Enter: there Enter makes a new line, and the button sends. */
const hasKeyboard = (): boolean => matchMedia("(pointer: fine)").matches;

/** A single line each, also on a phone, which would cut off a second one. */
const placeholders = {
  wide: {
    idle: composeWords.messageAgentFileSkillCommand,
    steer: composeWords.tellAgentChangeWhileWorks,
    queue: composeWords.nextMessageSentTurnEnds,
  },
  phone: { idle: composeWords.messageAgent, steer: composeWords.changeDoes, queue: composeWords.nextMessage },
} as const;
