import type { Notice } from "@quire/client/view";
import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import { Activity } from "../items/activity.tsx";
import { clipped } from "../items/format.ts";

const icons = { info: Info, warning: TriangleAlert, error: CircleAlert };

/** Something the server said that is no item: a warning, a retry, another model. */
export function NoticeRow({ notice }: { readonly notice: Notice }) {
  const details = notice.details ?? "";
  return (
    <div className={`thread-notice thread-notice-${notice.level}`}>
      <Activity icon={icons[notice.level]} title={clipped(notice.text, 1000)} foldKey={`notice ${notice.id}`}>
        {details !== "" && <p className="items-note">{clipped(details, 4000)}</p>}
      </Activity>
    </div>
  );
}
