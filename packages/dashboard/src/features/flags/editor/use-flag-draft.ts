import { describeFlagChange, type Flag } from '@burgee/contract'
import { useMemo, useState } from 'react'
import type { ErrorDetail } from '../../../shared/api/api-error.ts'
import { asSentence } from '../../../shared/api/plain-text.ts'
import { applyDraft, changedFields, type Draft, draftOf, rebaseDraft } from './draft.ts'

/** The state that the parts of the editor share. */
export interface FlagDraft {
  /** The flag that the draft is based on: its revision goes with the save. */
  readonly base: Flag
  readonly draft: Draft
  /** The flag as the draft would leave it. */
  readonly after: Flag
  /** The changes of the draft, in phrases. Empty if it changes nothing. */
  readonly changes: readonly string[]
  /** The flag as someone else has changed it meanwhile. */
  readonly theirs: Flag | null
  /** The problems that the server finds, by JSON pointer into the flag. */
  readonly problems: Readonly<Record<string, string>>
  /** The reason why nothing can be changed; absent if it can. */
  readonly locked: string | undefined
  /** Changes whenever fields are to forget what was typed into them. */
  readonly generation: number
  edit(fields: Partial<Draft>): void
  discard(): void
  /** Takes their version and puts my changes on top. */
  rebase(): void
  /** The flag is saved as `flag`. */
  settle(flag: Flag): void
  /** While a save is on its way the echo of it is no conflict. */
  setSaving(isSaving: boolean): void
  showProblems(details: readonly ErrorDetail[]): void
}

interface State {
  readonly base: Flag
  readonly draft: Draft
  readonly problems: Readonly<Record<string, string>>
  readonly isSaving: boolean
  readonly generation: number
}

const NO_PROBLEMS = {}

/**
 * A draft of `flag`, which may change on the server meanwhile. A clean draft follows that change. Any other
 * draft keeps its base.
 */
export function useFlagDraft(flag: Flag, locked: string | undefined): FlagDraft {
  const [state, setState] = useState<State>(() => ({
    base: flag,
    draft: draftOf(flag),
    problems: NO_PROBLEMS,
    isSaving: false,
    generation: 0,
  }))
  const { base, draft, problems, generation } = state
  const isNewer = !state.isSaving && flag.revision > base.revision
  const followed = isNewer ? follow(state, flag) : correct(state, flag)
  if (followed) setState(followed)
  const after = useMemo(() => applyDraft(base, draft), [base, draft])
  const changes = useMemo(() => describe(base, after), [base, after])
  const theirs = isNewer && !followed ? flag : null
  const restart = (next: Flag, nextGeneration: number) =>
    setState({
      base: next,
      draft: draftOf(next),
      problems: NO_PROBLEMS,
      isSaving: false,
      generation: nextGeneration,
    })
  return {
    base,
    draft,
    after,
    changes,
    theirs,
    problems,
    locked,
    generation,
    edit: (fields) => setState((known) => edited(known, fields)),
    discard: () => restart(theirs ?? base, generation + 1),
    rebase: () => {
      if (theirs) setState({ ...state, base: theirs, draft: rebaseDraft(base, theirs, draft).draft })
    },
    settle: (saved) => restart(saved, generation),
    setSaving: (isSaving) => setState((known) => ({ ...known, isSaving })),
    showProblems: (details) =>
      setState((known) => ({
        ...known,
        problems: Object.fromEntries(details.map(({ path, message }) => [path, asSentence(message)])),
      })),
  }
}

/** The state on top of a newer flag where no edit is lost; else null. */
function follow(state: State, flag: Flag): State | null {
  const { base, draft } = state
  if (changedFields(base, draft).length === 0 || changedFields(draft, flag).length === 0) {
    return { ...state, base: flag, draft: draftOf(flag) }
  }
  // Archived, or changed and changed back.
  return changedFields(base, flag).length === 0 ? { ...state, base: flag } : null
}

/** The state where the page showed a change ahead of the server, which then refused it; else null. */
function correct(state: State, flag: Flag): State | null {
  const { base, draft, isSaving } = state
  if (isSaving || flag === base || flag.revision !== base.revision) return null
  if (changedFields(base, flag).length === 0) return null
  return { ...state, base: flag, draft: rebaseDraft(base, flag, draft).draft }
}

function edited(state: State, fields: Partial<Draft>): State {
  const known = Object.entries(state.problems)
  const kept = known.filter(
    ([path]) => !Object.keys(fields).some((field) => path === `/${field}` || path.startsWith(`/${field}/`)),
  )
  // The same object where nothing is dropped, so that memoized parts are not drawn again for it.
  const problems = kept.length === known.length ? state.problems : Object.fromEntries(kept)
  return { ...state, draft: { ...state.draft, ...fields }, problems }
}

/**
 * Describes the changes in phrases. Some differences mean the same to everyone, such as an empty description
 * and none. They are changes all the same.
 */
function describe(base: Flag, after: Flag): string[] {
  const fields = changedFields(base, after)
  if (fields.length === 0) return []
  const phrases = describeFlagChange(base, after)
  return phrases.length > 0 ? phrases : fields.map((field) => `${field} changed`)
}
