import { type Experiment, type ExperimentInput, type ExperimentPatch, KEY_PATTERN } from '@burgee/contract'
import type { ErrorDetail } from '../../shared/api/api-error.ts'
import { changedFields } from '../../shared/forms/changed-fields.ts'
import { describeGoalProblem } from './goal-key.ts'

/** The content of the form: texts, empty if nothing is entered. */
export interface ExperimentDraft {
  readonly name: string
  readonly key: string
  readonly flag_key: string
  readonly goal_event_key: string
  readonly control_variant: string
  readonly description: string
}

export const EMPTY_DRAFT: ExperimentDraft = {
  name: '',
  key: '',
  flag_key: '',
  goal_event_key: '',
  control_variant: '',
  description: '',
}

/** Every field can show what is wrong with it. */
export const DRAFT_FIELDS = Object.keys(EMPTY_DRAFT)

export const toDraft = (experiment: Experiment): ExperimentDraft => ({
  name: experiment.name,
  key: experiment.key,
  flag_key: experiment.flag_key,
  goal_event_key: experiment.goal_event_key,
  control_variant: experiment.control_variant ?? '',
  description: experiment.description ?? '',
})

export const toInput = ({ name, key, flag_key, ...draft }: ExperimentDraft): ExperimentInput => ({
  name: name.trim(),
  key,
  flag_key,
  ...toPatchedFields(draft),
})

/** The changed fields of an experiment, and nothing else. */
export const toPatch = (before: ExperimentDraft, after: ExperimentDraft): ExperimentPatch =>
  changedFields(toPatchable(before), toPatchable(after))

const toPatchable = ({ name, ...draft }: ExperimentDraft) => ({
  name: name.trim(),
  ...toPatchedFields(draft),
})

const toPatchedFields = ({
  goal_event_key,
  control_variant,
  description,
}: Pick<ExperimentDraft, 'goal_event_key' | 'control_variant' | 'description'>) => ({
  goal_event_key,
  control_variant: control_variant === '' ? null : control_variant,
  description: description.trim() === '' ? null : description,
})

const KEY = new RegExp(KEY_PATTERN)
const KEY_HINT = 'Use letters, digits, hyphens and underscores only.'

/** The problems of a draft, in the words of the server. The server validates the draft again. */
export function validateDraft(draft: ExperimentDraft): ErrorDetail[] {
  const { name, key, flag_key, goal_event_key } = draft
  const goalProblem = describeGoalProblem(goal_event_key)
  const problems: readonly (readonly [keyof ExperimentDraft, boolean, string])[] = [
    ['name', name.trim() === '', 'Enter a name for the experiment.'],
    ['key', key === '', 'Enter a key for the experiment.'],
    ['key', key !== '' && !KEY.test(key), KEY_HINT],
    ['flag_key', flag_key === '', 'Choose the flag whose values are compared.'],
    ['goal_event_key', goal_event_key === '', 'Choose the goal, or write its key.'],
    ['goal_event_key', goalProblem !== null, goalProblem ?? ''],
  ]
  return problems
    .filter(([, isWrong]) => isWrong)
    .map(([field, , message]) => ({ path: `/${field}`, message }))
}
