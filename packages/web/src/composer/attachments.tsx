import { X } from "lucide-react";
import { IconButton } from "../ui/index.ts";
import { composeWords } from "../words/words.ts";
import type { AttachedImage } from "./images.ts";

interface AttachmentsProps {
  readonly images: readonly AttachedImage[];
  readonly onRemove: (id: string) => void;
}

/** The images that go with the message, each with a button that removes it. */
export function Attachments({ images, onRemove }: AttachmentsProps) {
  if (images.length === 0) return null;
  return (
    <ul className="composer-images" aria-label={composeWords.attachedImages}>
      {images.map((image) => (
        <li key={image.id} className="composer-image">
          <img src={image.url} alt={image.name} />
          <IconButton
            label={composeWords.remove(image.name)}
            icon={<X size={12} />}
            onClick={() => onRemove(image.id)}
          />
        </li>
      ))}
    </ul>
  );
}
