/** Resolves with the comment, or with null when the person gives none. */
type AskForComment = (reason: string) => Promise<string | null>

let asker: AskForComment | null = null

/** Sets the dialog that requests comments. Returns the function that removes it. */
export function setCommentAsker(ask: AskForComment): () => void {
  asker = ask
  return () => {
    if (asker === ask) asker = null
  }
}

/** Requests a comment on a write that the server refuses without one. Null: the write is not sent again. */
export const askForComment: AskForComment = async (reason) => (asker ? asker(reason) : null)
