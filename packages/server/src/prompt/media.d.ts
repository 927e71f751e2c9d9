import type { ContentItem, ImageDetail } from "@quire/protocol";
/** A local image to be shown to the model. `index` counts the images of the message from 1. */
export interface LocalImage {
    readonly path: string;
    readonly detail: ImageDetail | null | undefined;
    readonly index: number;
}
/** The detail in which images are looked at when nothing is said. */
export declare const defaultDetail: ImageDetail;
/** A local image for the model, or words about why it is not there: a turn goes on without it. */
export declare function localImageContent({ path, detail, index }: LocalImage): Promise<ContentItem[]>;
/** A local recording for the model, or words about why it is not there. */
export declare function localAudioContent(path: string): Promise<ContentItem[]>;
