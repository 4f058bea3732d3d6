import { type Flag, formatShare } from '@burgee/contract'
import { countOf } from '../../shared/ui/count-of.ts'

const ALL = '100%'

/** The state of a flag in a few words: `On`, `On, 25%`, `Off`, `Archived`. */
export function describeFlag(flag: Flag): string {
  const { archived_at, is_enabled, rules } = flag
  const share = formatShare(flag) ?? ALL
  if (archived_at !== null) return 'Archived'
  if (!is_enabled) return 'Off'
  const parts = [
    'On',
    ...(share === ALL ? [] : [share]),
    ...(rules.length === 0 ? [] : [countOf(rules.length, 'rule')]),
  ]
  return parts.join(', ')
}
