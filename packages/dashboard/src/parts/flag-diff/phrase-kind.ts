/** The kind of change that a phrase of `describeFlagChange` describes, for its icon and color. */
export type PhraseKind = 'on' | 'off' | 'added' | 'removed' | 'changed' | 'moved'

const EXACT: Readonly<Record<string, PhraseKind>> = {
  created: 'added',
  deleted: 'removed',
  'switched on': 'on',
  'switched off': 'off',
  archived: 'removed',
  unarchived: 'added',
}

/** Read from the beginning and end only: user text is between them. */
export function phraseKind(phrase: string): PhraseKind {
  const exact = EXACT[phrase]
  if (exact) return exact
  const rule = /^rule \d+ (added|removed|moved)\b/.exec(phrase)?.[1]
  if (rule === 'added' || rule === 'removed' || rule === 'moved') return rule
  const item = /^(?:variant|prerequisite|tag) .* (added|removed)$/.exec(phrase)?.[1]
  if (item === 'added' || item === 'removed') return item
  // A phrase about a flag that was not there before: `2 rules`.
  if (/^\d+ (?:rule|variant|prerequisite)s?$/.test(phrase)) return 'added'
  return /^\w+ reordered$/.test(phrase) ? 'moved' : 'changed'
}
