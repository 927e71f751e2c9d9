/** A small spinner. With a label it is announced; without one it is decoration. */
export function Spinner({ label }: { readonly label?: string | undefined }) {
  return label === undefined ? (
    <span className="ui-spinner" aria-hidden="true" />
  ) : (
    <span className="ui-spinner-line" role="status">
      <span className="ui-spinner" aria-hidden="true" />
      {label}
    </span>
  );
}
