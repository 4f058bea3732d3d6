import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './harness/read-documents.ts'

const SOURCE = join(ROOT, 'packages/server/src')
const DOMAINS = 'structure targeting reporting notification identity insight governance serving'.split(' ')
/** The names of a public interface below a domain. The three that grew most have bounds of their own. */
const NAMES_MAX = 30
const BOUNDS: Readonly<Record<string, number>> = {
  'targeting/flags': 25,
  'identity/auth': 15,
  'structure/users': 15,
}

const rooms = DOMAINS.flatMap((domain) =>
  readdirSync(join(SOURCE, domain), { withFileTypes: true })
    // It has no interface: what reports of every kind pass lies below the rooms of its domain.
    .filter((entry) => entry.isDirectory() && `${domain}/${entry.name}` !== 'reporting/ingest')
    .map(({ name }) => `${domain}/${name}`),
)

/** Returns the names that an `index.ts` exports. `export *` would hide them. */
function namesOf(room: string): string[] {
  const text = readFileSync(join(SOURCE, room, 'index.ts'), 'utf8')
  expect(text).not.toContain('export *')
  return [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter(Boolean)
}

describe('public interfaces stay small', () => {
  it.each(rooms)('%s', (room) => {
    expect(namesOf(room).length).toBeLessThanOrEqual(BOUNDS[room] ?? NAMES_MAX)
  })

  it('each bound is of a room', () => {
    expect(Object.keys(BOUNDS).filter((room) => !rooms.includes(room))).toEqual([])
  })
})
