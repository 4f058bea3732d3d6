import type { Flag } from '../schemas/flag.ts'
import { formatJson } from './format-text.ts'
import { describeLists } from './list-changes.ts'

type Variants = Flag['variants']

/** Describes the changes to the variants, by value, with the weights as they were entered. */
export const describeVariants = (before: Variants, after: Variants): string[] =>
  describeLists(before, after, {
    noun: 'variant',
    id: ({ value }) => value,
    name: ({ value }) => formatJson(value),
    detail: { label: 'weight', of: ({ weight }) => weight, show: ({ weight }) => String(weight) },
  })
