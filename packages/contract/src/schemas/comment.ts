import { type TObject, type TProperties, Type } from 'typebox'
import { COMMENT_MAX_LENGTH } from '../limits.ts'
import { Nullable } from './common.ts'

const description =
  'Why: shown in history, audit log, events and chats. An environment may require it (`require_comment`)'

const comment = Type.Optional(Nullable(Type.String({ maxLength: COMMENT_MAX_LENGTH, description })))

/** The body of a write that says why, beside what it is for. Handlers are not given it: it belongs to the actor. */
export function Commented<P extends TProperties>(schema: TObject<P>) {
  const { properties, required: _r, type: _t, ...notes } = schema
  return Type.Object({ ...properties, comment }, notes)
}

/** The body of a write that needs none. */
export const CommentInput = Type.Object({ comment }, { examples: [{ comment: 'The launch is over' }] })

/** For writes without a body. */
export const commentQuery = Type.Object({
  comment: Type.Optional(Type.String({ maxLength: COMMENT_MAX_LENGTH, description })),
})

/** What is stored of a comment. */
export const storedComment = (of: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${of}; null where none was given` })
