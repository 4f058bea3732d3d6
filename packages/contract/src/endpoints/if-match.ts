import { Type } from 'typebox'

/** Two writers (docs/reference/flags.md): a write that names a stale revision is refused. */
export const ifMatch = Type.Object({
  'If-Match': Type.Optional(
    Type.String({
      description: 'The revision that the change is based on, in quotes, as ETag gave it; a stale one is 412',
      examples: ['"42"'],
    }),
  ),
})
