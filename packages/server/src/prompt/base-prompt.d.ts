/** What the model is told of its task, unless a thread or the configuration says something else. */
export declare const basePrompt: string;
