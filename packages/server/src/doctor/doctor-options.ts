/** Of whom the doctor asks. */
export interface DoctorOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly configOverrides?: Readonly<Record<string, unknown>> | undefined;
  /** `none` asks the model's provider for no sign of life, `only` looks at nothing but the way to it. Default `also`. */
  readonly network?: "also" | "none" | "only" | undefined;
  readonly requirementsFile?: string | undefined;
}
