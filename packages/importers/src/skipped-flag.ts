import type { FlagDraft } from './drafts.ts'
import type { Flaw } from './gap.ts'
import { FlagNotes } from './report.ts'

export const MALFORMED: Flaw = { code: 'malformed', message: 'The file has no flag here that can be read.' }

/** Returns a flag that is only in the report, with the reason. */
export function skippedFlag(key: string, flaw: Flaw): FlagDraft {
  const notes = new FlagNotes()
  notes.lower('skipped', { ...flaw, path: '' })
  return {
    ...{ key, notes, type: 'boolean', isEnabled: false, rules: [], prerequisites: [] },
    ...{ otherwise: { serve: { kind: 'off' } }, disabledValue: null },
  }
}
