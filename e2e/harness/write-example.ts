import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** A folder from which imports find the packages of this repository, and that no tool checks. */
const FOLDER = join(ROOT, 'node_modules', '.burgee-examples')
const FIRST_BLOCK = /```(tsx?|sh)\n([\s\S]*?)```/

export interface ExampleChanges {
  /** The code before the example: what its reader has. */
  readonly before?: string
  /** The code after the example: what the test observes. */
  readonly after?: string
  /** Texts of the example and what they become: addresses and keys. */
  readonly replaced?: Readonly<Record<string, string>>
}

/** Writes the first example of a package's README as a program. Returns its path. */
export function writeExample(
  name: string,
  { after = '', before = '', replaced = {} }: ExampleChanges,
): string {
  const { example, kind } = firstExample(name)
  let code = example
  for (const [text, other] of Object.entries(replaced)) {
    if (!code.includes(text)) throw new Error(`the example of ${name} does not have ${text}`)
    code = code.replaceAll(text, other)
  }
  mkdirSync(FOLDER, { recursive: true })
  const path = join(FOLDER, `${name}.${kind}`)
  writeFileSync(path, [before, code, after].join('\n'))
  onTestFinished(() => rmSync(path, { force: true }))
  return path
}

/** Returns the first example of a package's README, and the language it is in. */
export function firstExample(name: string): { readonly example: string; readonly kind: string } {
  const [, kind, example] = FIRST_BLOCK.exec(readReadme(name)) ?? []
  if (!kind || !example) throw new Error(`the README of ${name} has no example`)
  return { example, kind }
}

/** Returns the README of a package. */
export const readReadme = (name: string): string =>
  readFileSync(join(ROOT, 'packages', name, 'README.md'), 'utf8')
