import type { Flag } from '../schemas/flag.ts'
import { describeLists } from './list-changes.ts'
import type { FormatValue } from './name-value.ts'

type Variants = Flag['variants']

/** Describes the changes to the variants, by value, with the weights as they were entered. */
export const describeVariants = (before: Variants, after: Variants, format: FormatValue): string[] =>
  describeLists(before, after, {
    noun: 'variant',
    id: ({ value }) => value,
    name: ({ value }) => format(value),
    detail: { label: 'weight', of: ({ weight }) => weight, show: ({ weight }) => String(weight) },
  })
