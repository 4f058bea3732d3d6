import { expect, test } from 'vitest'
import { UnreadableFile } from '../../src/index.ts'
import { compile, importData } from './harness.ts'
import { SAMPLES, sample } from './mutations.ts'

/** Names that every object of JavaScript has. */
const NAMES = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf', '__defineGetter__']
/** Parts of one kind that are searched for places: the others are alike. */
const PARTS_OF_KIND = 3
/** The names that are tried at one place; the next place has the next ones. */
const NAMES_OF_PLACE = 2

type Parent = Record<string, unknown>

interface Place {
  readonly parent: Parent
  readonly key: string
}

/** Returns a place of each kind: the same fields on the way, wherever it is. */
function placesOf(content: unknown): readonly Place[] {
  const counts = new Map<string, number>()
  const places: Place[] = []
  const visit = (node: unknown, path: string) => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      const kind = Array.isArray(node) ? `${path}[]` : `${path}.${key}`
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      if (count === 1) places.push({ parent: node as Parent, key })
      if (count <= PARTS_OF_KIND) visit(value, kind)
    }
  }
  visit(content, '')
  return places
}

/** Changes a place, and returns how to change it back. */
function rename({ key, parent }: Place, name: string, what: 'key' | 'value'): () => void {
  const before = Object.entries(parent)
  if (what === 'value') parent[key] = name
  else if (Array.isArray(parent)) return () => undefined
  else {
    const value = parent[key]
    delete parent[key]
    Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return () => {
    if (what === 'key') delete parent[name]
    for (const [field, value] of before) parent[field] = value
  }
}

/** Turns booleans around the place on: `inverted`, `negate` and the like change what is read. */
function switchOn({ parent }: Place): () => void {
  const off = Object.keys(parent).filter((field) => parent[field] === false)
  for (const field of off) parent[field] = true
  return () => {
    for (const field of off) parent[field] = false
  }
}

test.each(SAMPLES)('%s reads names of JavaScript objects in each place of %s', (system, path) => {
  const content = structuredClone(sample(path))
  const before = JSON.stringify(content)
  let read = 0
  for (const [at, place] of placesOf(content).entries())
    for (const what of ['key', 'value'] as const)
      for (let index = 0; index < NAMES_OF_PLACE; index++) {
        const name = NAMES[(at * NAMES_OF_PLACE + index) % NAMES.length] ?? 'constructor'
        const switchBack = index === 0 ? switchOn(place) : () => undefined
        const renameBack = rename(place, name, what)
        try {
          const imported = importData(system, [content])
          for (const [environment] of imported.environments.entries()) compile(imported, environment)
          read += 1
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableFile)
        }
        renameBack()
        switchBack()
      }
  expect(read).toBeGreaterThan(0)
  expect(Object.keys(JSON.parse(before)).sort()).toEqual(Object.keys(Object(content)).sort())
})
