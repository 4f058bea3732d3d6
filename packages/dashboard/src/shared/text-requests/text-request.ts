/** Resolves with the text, or with null when the person gives none. */
type Request<Cause> = (cause: Cause) => Promise<string | null>

export interface TextRequest<Cause> {
  /** Requests the text. Null where nothing on the page can request it. */
  readonly request: Request<Cause>
  /** Sets the dialog that requests it. Returns the function that removes the dialog. */
  readonly setDialog: (dialog: Request<Cause>) => () => void
}

/** A text that a call needs from the person after the server has refused it without one. */
export function createTextRequest<Cause>(): TextRequest<Cause> {
  let current: Request<Cause> | null = null
  return {
    request: async (cause) => (current ? current(cause) : null),
    setDialog(dialog) {
      current = dialog
      return () => {
        if (current === dialog) current = null
      }
    },
  }
}
