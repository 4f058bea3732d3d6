import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { ChangePreview } from './change-preview.ts'
import { Flag } from './flag.ts'
import { Warning } from './warning.ts'

const { before, after, changes } = EXAMPLE_SHOP.change_request.preview

/** The effect of a write before it is made. The dashboard requests it for its review. */
export const FlagPreview = Type.Object(
  {
    before: ChangePreview.properties.before,
    after: Flag,
    changes: ChangePreview.properties.changes,
    warnings: Type.Array(Warning, {
      description: 'Warnings about probable mistakes; empty when there are none',
    }),
  },
  { examples: [{ before, after, changes, warnings: [] }] },
)
export type FlagPreview = Static<typeof FlagPreview>
