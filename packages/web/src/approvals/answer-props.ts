/** Props of every view that answers a question. */
export interface AnswerProps {
  /** An answer is on its way. */
  readonly busy: boolean;
  /** Sends a reply; `label` says in words what it is. */
  readonly onAnswer: (result: unknown, label: string) => void;
}
