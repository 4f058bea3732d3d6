import type {
  AppliedChange,
  Environment,
  FlagInput,
  ImportClass,
  ImportResult,
  ListedFlag,
} from '@burgee/contract'
import type { EnvironmentPlan } from './import-plan.ts'

type Note = ImportResult['flags'][number]['notes'][number]

/** The effect of an import on one flag. */
export type Outcome = 'created' | 'changed' | 'waiting' | 'unchanged' | 'left_out'

/** One flag in one environment. */
export interface FlagCell {
  readonly target: Environment
  readonly class: ImportClass
  readonly notes: readonly Note[]
  readonly outcome: Outcome
  /** The reason of the server against the flag. */
  readonly refusal: string | undefined
  readonly change: AppliedChange | undefined
  /** As it is imported; undefined where it is not translated. */
  readonly flag: FlagInput | undefined
  /** As it is in the target. */
  readonly present: ListedFlag | undefined
}

/** One flag in all environments that are imported. */
export interface FlagRow {
  /** In the other service. */
  readonly sourceKey: string
  readonly key: string
  readonly cells: readonly FlagCell[]
}

/** The flags of the files, by key: those that differ most from before come first. */
export function flagRows(
  { aliases, environments, flags }: Pick<ImportResult, 'aliases' | 'environments' | 'flags'>,
  plans: readonly EnvironmentPlan[],
): FlagRow[] {
  const rows = new Map<string, { sourceKey: string; key: string; cells: FlagCell[] }>()
  for (const plan of plans) {
    const translated = environments.find(({ environment }) => environment === plan.source)?.flags ?? []
    const byKey = new Map(translated.map((flag) => [flag.key, flag]))
    const changes = new Map(
      plan.changes.filter(({ resource }) => resource === 'flag').map((change) => [change.key, change]),
    )
    for (const { class: label, environment, key: sourceKey, notes } of flags) {
      if (environment !== plan.source) continue
      const renamed = Object.hasOwn(aliases, sourceKey) ? aliases[sourceKey] : undefined
      const key = renamed !== undefined && (label === 'skipped' || byKey.has(renamed)) ? renamed : sourceKey
      const refusal = plan.refused.get(key)
      const change = changes.get(key)
      const outcome = label === 'skipped' || refusal !== undefined ? 'left_out' : outcomeOf(change)
      const row = rows.get(sourceKey) ?? { sourceKey, key, cells: [] }
      row.cells.push({
        ...{ target: plan.target, class: label, notes, outcome, refusal, change },
        flag: byKey.get(key),
        present: plan.present.get(key),
      })
      rows.set(sourceKey, row)
    }
  }
  return [...rows.values()].sort((one, other) => compareRows(one, other))
}

function outcomeOf(change: AppliedChange | undefined): Outcome {
  if (!change) return 'unchanged'
  if (change.needs_approval === true) return 'waiting'
  return change.action === 'create' ? 'created' : 'changed'
}

/** The class that is shown: what the server refuses is not imported. */
export const shownClass = ({ class: label, outcome }: FlagCell): ImportClass =>
  outcome === 'left_out' ? 'skipped' : label

const RANKS: Readonly<Record<ImportClass, number>> = { skipped: 0, approximated: 1, moved: 2, exact: 3 }

const rankOf = ({ cells }: FlagRow): number => Math.min(...cells.map((cell) => RANKS[shownClass(cell)]))

const compareRows = (one: FlagRow, other: FlagRow): number =>
  rankOf(one) - rankOf(other) || (one.sourceKey < other.sourceKey ? -1 : 1)

export interface RowFilter {
  /** Part of a key or of a reason, upper or lower case. */
  readonly q: string
  /** Empty: every class. */
  readonly class: ImportClass | ''
  readonly outcome: Outcome | ''
}

/** The rows with a cell that fits the whole filter, with all their cells. */
export function filterRows(rows: readonly FlagRow[], { class: label, outcome, q }: RowFilter): FlagRow[] {
  const wanted = q.trim().toLowerCase()
  return rows.filter(
    ({ cells, key, sourceKey }) =>
      cells.some(
        (cell) =>
          (label === '' || shownClass(cell) === label) && (outcome === '' || cell.outcome === outcome),
      ) &&
      (wanted === '' ||
        [key, sourceKey, ...cells.flatMap(reasonsOf)].some((text) => text.toLowerCase().includes(wanted))),
  )
}

/** The reasons for the class of a flag, the server's first. */
export const reasonsOf = ({ notes, refusal }: FlagCell): string[] => [
  ...(refusal === undefined ? [] : [refusal]),
  ...notes.map(({ message }) => message),
]

/** The number of flags of each class in one environment, or in all. */
export function countClasses(cells: readonly FlagCell[]): Record<ImportClass, number> {
  const counts: Record<ImportClass, number> = { exact: 0, moved: 0, approximated: 0, skipped: 0 }
  for (const cell of cells) counts[shownClass(cell)] += 1
  return counts
}
