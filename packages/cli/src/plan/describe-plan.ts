import {
  type AppliedChange,
  type ApplyResult,
  describeFlagChange,
  describeSegmentChange,
  type EndpointBody,
  type Flag,
  isObject,
} from '@burgee/contract'
import { type Colors, printable } from '../output/output.ts'

/** A field that the response shows is cut to it. */
const VALUE_MAX = 60

type StoredSegment = EndpointBody<'listSegments'>[number]

/** A flag or segment as it was before a change. */
export type Described = Flag | StoredSegment

const SIGNS = { create: '+', update: '~', archive: '-', unarchive: '+' } as const

/** Returns the lines of a plan for one changed thing: its key, then each change as a phrase. */
export function describeChange(
  change: AppliedChange,
  before: Described | undefined,
  colors: Colors,
): string[] {
  const { resource, key, action, needs_approval, warnings, is_cut } = change
  const sign = SIGNS[action]
  const paint = sign === '+' ? colors.green : sign === '-' ? colors.red : colors.yellow
  return [
    `${paint(`${sign} ${resource} ${printable(key)}`)}: ${action}${needs_approval ? ' (needs approval)' : ''}`,
    ...phrases(change, before).map((phrase) => `    ${printable(phrase)}`),
    ...(is_cut ? ['    (further differences are left out: they are too large)'] : []),
    ...warnings.map(({ message }) => `    ${colors.yellow('warning:')} ${printable(message)}`),
  ]
}

/** Returns the lines of the warnings about a whole plan or apply. */
export const describeWarnings = ({ warnings = [] }: ApplyResult, colors: Colors): string[] =>
  warnings.map(
    ({ message, path }) =>
      `  ${colors.yellow('warning:')} ${path === '' ? '' : `${printable(path)}: `}${printable(message)}`,
  )

/** Updates are described in words where the change can be rebuilt, everything else field by field. */
function phrases(
  { resource, action, changes, is_cut }: AppliedChange,
  before: Described | undefined,
): string[] {
  if (action === 'update' && before !== undefined && !is_cut) {
    const described =
      resource === 'flag'
        ? flagPhrases(before as Flag, changes)
        : segmentPhrases(before as StoredSegment, changes)
    if (described.length > 0) return described
  }
  // A creation has only what it sets: the rest is unset, and its key is in the line above.
  if (action === 'create')
    return changes
      .filter(({ path, after }) => path !== '/key' && !isUnset(after))
      .map(({ path, after }) => `${path.slice(1)}: ${show(after)}`)
  // The action states that it is archived, and the time of a plan is not that of the apply.
  return changes
    .filter(({ path }) => !(resource === 'flag' && action !== 'update' && path === '/archived_at'))
    .map(({ path, before: from, after: to }) => `${path}: ${show(from)} -> ${show(to)}`)
}

function flagPhrases(before: Flag, changes: Changes): string[] {
  const after = rebuild(before, changes)
  return after === null ? [] : describeFlagChange(before, after)
}

function segmentPhrases(before: StoredSegment, changes: Changes): string[] {
  const after = rebuild(before, changes)
  return after === null ? [] : describeSegmentChange(before, after)
}

const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

type Changes = AppliedChange['changes']

/** Applies differences to a flag or segment, the last one first, so that positions in lists stay right. */
function rebuild<T extends Described>(before: T, changes: Changes): T | null {
  const result: unknown = structuredClone(before)
  for (const { path, after } of changes.toReversed()) {
    const steps = path
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    const last = steps.pop()
    const parent = steps.reduce<unknown>((place, step) => child(place, step), result)
    if (last === undefined || typeof parent !== 'object' || parent === null) return null
    if (Array.isArray(parent) && after === undefined) parent.splice(Number(last), 1)
    else Object.assign(parent, { [last]: after })
  }
  return isObject(result) ? (result as unknown as T) : null
}

const child = (place: unknown, step: string): unknown =>
  typeof place === 'object' && place !== null && Object.hasOwn(place, step)
    ? (place as Record<string, unknown>)[step]
    : undefined

function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX - 3)}...` : text
}
