import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { anyJson } from './common.ts'
import { Flag } from './flag.ts'

export const Difference = Type.Object({
  path: Type.String({ description: 'A JSON pointer (RFC 6901) into the flag' }),
  before: anyJson({ description: 'The value before; null when there is none' }),
  after: anyJson({ description: 'The value after approval; null when there is none' }),
})

/** The effect of approving on the current flag. `path` is a JSON pointer (RFC 6901) into the flag. */
export const ChangePreview = Type.Object(
  {
    before: Type.Union([Flag, Type.Null()], { description: 'The current flag; null when there is none' }),
    after: Type.Union([Flag, Type.Null()], {
      description: 'The flag after approval; null when it would be deleted',
    }),
    changes: Type.Array(Difference, { description: 'The differences by field' }),
    conflicts: Type.Array(Type.String(), {
      description: 'The changes of the flag since the request was opened',
    }),
    problem: Type.Optional(Type.String({ description: 'The reason why it cannot be approved now' })),
  },
  { examples: [EXAMPLE_SHOP.change_request.preview] },
)
export type ChangePreview = Static<typeof ChangePreview>
