/** The place of an entry, as a list over several places shows it. */
export interface EntryPlace {
  /** Null where the whole list is about one place. */
  readonly label: string | null
  /** The color of the environment. */
  readonly color?: string | undefined
  /** The environment of the flag, for links; null where it does not exist any more. */
  readonly environment: { readonly project_id: string; readonly environment_id: string } | null
}
