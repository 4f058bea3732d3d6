import type { Placed } from './apply-file.ts'

/** A problem at a JSON pointer into the lists of files. */
interface Problem {
  readonly path: string
  readonly message: string
}

const PROBLEMS_SHOWN = 50

/** Returns a line for each problem, with its place in the files: `flags.yaml:12: /flags/0/key: ...`. */
export function explainProblems(
  lists: { readonly [name in 'segments' | 'flags' | 'invariants']?: readonly Placed[] },
  problems: readonly Problem[],
): string[] {
  return problems
    .slice(0, PROBLEMS_SHOWN)
    .map(({ message, path }) => `${placeOf(lists, path)}${path}: ${message}`)
}

function placeOf(lists: Readonly<Record<string, readonly Placed[]>>, pointer: string): string {
  const [, list = '', index] = /^\/(segments|flags|invariants)\/(\d+)/.exec(pointer) ?? []
  const placed = Object.entries(lists).find(([name]) => name === list)?.[1][Number(index)]
  return placed ? `${placed.place}: ` : ''
}
