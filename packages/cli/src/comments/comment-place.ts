/** The list of comments of a pull or merge request, in the API of its service. */
export interface CommentPlace {
  readonly service: string
  /** The address of the list: read in pages, and extended by POST. */
  readonly listUrl: string
  /** Returns the address of one comment. */
  commentUrl(id: number): string
  readonly updateMethod: 'PATCH' | 'PUT'
  /** The address that states whose token it is. */
  readonly userUrl: string
  /** The fields of the name of a user, and of the author of a comment. */
  readonly fields: { readonly name: string; readonly author: string }
  /** The author where the token may not request itself. */
  readonly authorOtherwise: string | null
  readonly headers: Readonly<Record<string, string>>
  /** Advice for a token that is refused. */
  readonly advice: string
}
