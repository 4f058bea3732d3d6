import type { ApplyInput } from '@burgee/contract'
import { invalid, type ProblemDetail } from '../../kernel/refusal.ts'

/** Refuses with `invalid` when a key is listed twice. */
export function requireUnique({ flags = [], segments = [] }: ApplyInput): void {
  const problems = [...findRepeated(segments, '/segments'), ...findRepeated(flags, '/flags')]
  if (problems.length > 0) throw invalid(problems)
}

function findRepeated(items: readonly { readonly key: string }[], path: string): ProblemDetail[] {
  const known = new Set<string>()
  return items.flatMap(({ key }, index) => {
    if (known.has(key)) return [{ path: `${path}/${index}/key`, message: `"${key}" is listed twice` }]
    known.add(key)
    return []
  })
}
