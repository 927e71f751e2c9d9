/** Options of the doctor. */
export interface DoctorOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly configOverrides?: Readonly<Record<string, unknown>> | undefined;
  /** `none` skips the model's provider, `only` checks nothing but the way to it. Default `also`. */
  readonly network?: "also" | "none" | "only" | undefined;
  readonly requirementsFile?: string | undefined;
}
