import { type TObject, type TProperties, Type } from 'typebox'
import { COMMENT_MAX_LENGTH } from '../limits.ts'
import { Nullable } from './common.ts'

const description =
  'The reason for the write, shown in history, audit log, events and chats. An environment may require it (`require_comment`)'

const comment = Type.Optional(Nullable(Type.String({ maxLength: COMMENT_MAX_LENGTH, description })))

/** Adds `comment` to the body of a write. Handlers do not receive it: it belongs to the actor. */
export function Commented<P extends TProperties>(schema: TObject<P>) {
  const { properties, required: _r, type: _t, ...notes } = schema
  return Type.Object({ ...properties, comment }, notes)
}

/** The body of a write that has no other fields. */
export const CommentInput = Type.Object({ comment }, { examples: [{ comment: 'The launch is over' }] })

/** The query of writes without a body. */
export const commentQuery = Type.Object({
  comment: Type.Optional(Type.String({ maxLength: COMMENT_MAX_LENGTH, description })),
})

/** The stored comment of a write. */
export const storedComment = (of: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${of}; null without one` })
