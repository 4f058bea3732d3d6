import type { UpdatedServiceAccount } from '@burgee/contract'
import { countOf } from '../../shared/ui/count-of.ts'

/** Returns what became of the scheduled changes of a disabled account, as a sentence with a leading blank. */
export function describeSettled(schedules: UpdatedServiceAccount['schedules']): string {
  const { kept = 0, cancelled = 0 } = schedules ?? {}
  if (kept + cancelled === 0) return ''
  if (kept === 0) return ` ${count(cancelled)} canceled.`
  if (cancelled === 0) return ` ${count(kept)} kept.`
  return ` ${count(cancelled)} canceled, ${kept} kept.`
}

const count = (n: number) => countOf(n, 'scheduled change is', 'scheduled changes are')
