import {
  AMBIGUOUS_SHARE,
  isAmbiguous,
  METADATA_ENTRIES_MAX,
  METADATA_MAX_BYTES,
  VARIANT_NAMES_MAX,
} from '@burgee/contract'
import type { CheckBudget } from '../../kernel/check-budget.ts'
import type { ProblemDetail } from '../../kernel/refusal.ts'
import type { FlagContent } from './flag.ts'
import { validateValueSchema } from './value-schema/validate-value-schema.ts'

/**
 * Validates the fields that a flag has only where they are set (docs/reference/flags.md#further-fields),
 * after a merge patch: what the schema allows in each patch may be too much together.
 */
export const validateExtensions = (
  flag: FlagContent,
  before: FlagContent | null,
  budget: CheckBudget,
): ProblemDetail[] => [
  ...(isAmbiguous(flag) ? [{ path: '/rollout_thousandths', message: AMBIGUOUS_SHARE }] : []),
  ...validateNames(flag),
  ...validateMetadata(flag),
  ...validateLinks(flag),
  ...validateValueSchema(flag, before, budget),
]

function validateNames({ variant_names = {} }: FlagContent): ProblemDetail[] {
  const count = Object.keys(variant_names).length
  if (count <= VARIANT_NAMES_MAX) return []
  return [{ path: '/variant_names', message: `has ${count} names; at most ${VARIANT_NAMES_MAX}` }]
}

function validateMetadata({ metadata }: FlagContent): ProblemDetail[] {
  if (metadata === undefined) return []
  const path = '/metadata'
  const count = Object.keys(metadata).length
  if (count > METADATA_ENTRIES_MAX)
    return [{ path, message: `has ${count} entries; at most ${METADATA_ENTRIES_MAX}` }]
  const bytes = Buffer.byteLength(JSON.stringify(metadata))
  if (bytes <= METADATA_MAX_BYTES) return []
  return [{ path, message: `has ${bytes} bytes as JSON; at most ${METADATA_MAX_BYTES}` }]
}

const validateLinks = ({ links = [] }: FlagContent): ProblemDetail[] =>
  links.flatMap(({ url }, index) =>
    isWebAddress(url)
      ? []
      : [{ path: `/links/${index}/url`, message: 'must be an address with https:// or http://' }],
  )

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)
}
