import { changedFields, type Draft, rebaseDraft } from './draft.ts'

/** The text that is typed in the JSON tab and not applied yet. */
export interface JsonTyping {
  readonly text: string
  /** The draft that the text began as. */
  readonly from: Draft
}

/** Continues the typing with a new text. Null if the text is the draft's own again. */
export const typeJson = (
  typing: JsonTyping | null,
  text: string,
  own: { readonly text: string; readonly draft: Draft },
): JsonTyping | null => (text === own.text ? null : { text, from: typing?.from ?? own.draft })

/** True if the draft has changed since the typing began, in another tab or by someone else. */
export const isStale = (typing: JsonTyping, draft: Draft): boolean =>
  changedFields(typing.from, draft).length > 0

/** The draft as the text has it, except for fields that the text left alone: those stay as they are now. */
export const applyTyping = (typing: JsonTyping, draft: Draft, typed: Draft): Draft =>
  rebaseDraft(typing.from, draft, typed).draft
