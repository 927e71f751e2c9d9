import { Shapes } from "lucide-react";
import { Activity } from "../activity.tsx";
import { humanName } from "../format.ts";
import { JsonView } from "../json-view.tsx";

/** An item of a kind that this page does not know: its name, and its data folded. */
export function UnknownItem({ item }: { readonly item: { readonly id: string; readonly type: string } }) {
  const { id, type, ...data } = item;
  return (
    <Activity icon={Shapes} title={humanName(type)} detail={<code>{type}</code>} foldKey={id}>
      <JsonView data={data} foldKey={`${id}/data`} />
    </Activity>
  );
}
