import { USER_DATA } from '../../shared/user-data.ts'
import { parseAttributes, type Subject } from './subject.ts'

/** A subject that is remembered in this browser. */
export interface Preset extends Subject {
  readonly name: string
}

const PRESETS_MAX = 50

/**
 * The presets that this browser remembers for the person. Unreadable ones and those of another person are
 * left out.
 */
export function recallPresets(storage: Pick<Storage, 'getItem'>, owner: string): Preset[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(USER_DATA.presets) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return []
    const kept: { owner?: unknown; presets?: unknown } = stored
    return kept.owner === owner && Array.isArray(kept.presets) ? kept.presets.flatMap(readPreset) : []
  } catch {
    return []
  }
}

/**
 * Remembers the presets of the person, in place of those of anyone before them. A browser that stores nothing
 * keeps them until the page is left.
 */
export function storePresets(
  storage: Pick<Storage, 'setItem'>,
  owner: string,
  presets: readonly Preset[],
): void {
  try {
    storage.setItem(USER_DATA.presets, JSON.stringify({ owner, presets }))
  } catch {
    // Storage is blocked or full.
  }
}

/** Adds a preset, in place of one of the same name; the oldest goes when there are too many. */
export const withPreset = (presets: readonly Preset[], preset: Preset): Preset[] =>
  [preset, ...presets.filter(({ name }) => name !== preset.name)].slice(0, PRESETS_MAX)

function readPreset(value: unknown): Preset[] {
  if (typeof value !== 'object' || value === null) return []
  const { name, user_key, attributes }: Partial<Record<keyof Preset, unknown>> = value
  if (typeof name !== 'string') return []
  const read = parseAttributes(JSON.stringify(attributes ?? {}))
  if (!('attributes' in read)) return []
  return [{ name, user_key: typeof user_key === 'string' ? user_key : null, attributes: read.attributes }]
}
