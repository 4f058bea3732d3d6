import { readdirSync, readFileSync } from 'node:fs'
import * as contract from '@burgee/contract'
import ts from 'typescript'

const ROOT = new URL('../../../../', import.meta.url)
const FOLDERS = ['contract', 'evaluation', 'server'].map((name) => `packages/${name}/src/`)

export interface FoundPattern {
  /** The place without its line: `packages/server/src/http/requests/cors.ts /a+/g`. */
  readonly name: string
  /** Null when it is built at run time. */
  readonly pattern: RegExp | null
}

/**
 * Returns every regular expression of the sources that run on the server: literals, `new RegExp(...)` and the
 * `pattern`s of schemas.
 */
export function listPatterns(): FoundPattern[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .sort()
      .flatMap((file) => patternsIn(folder + file)),
  )
}

function patternsIn(file: string): FoundPattern[] {
  const text = readFileSync(new URL(file, ROOT), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: FoundPattern[] = []
  const visit = (node: ts.Node): void => {
    const pattern = patternOf(node)
    if (pattern !== undefined) found.push({ name: `${file} ${node.getText(source)}`, pattern })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Undefined for anything except patterns. */
function patternOf(node: ts.Node): RegExp | null | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/')
    return new RegExp(node.text.slice(1, end), node.text.slice(end + 1))
  }
  const isConstructed =
    (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp'
  if (isConstructed) return null
  const isSchemaPattern = ts.isPropertyAssignment(node) && node.name.getText() === 'pattern'
  if (!isSchemaPattern) return undefined
  const { initializer } = node
  if (ts.isStringLiteral(initializer)) return new RegExp(initializer.text, 'u')
  return ts.isIdentifier(initializer) ? constant(initializer.text) : undefined
}

/** Returns a pattern that schemas take from the limits of the contract. */
function constant(name: string): RegExp | null {
  const value: unknown = Object.entries(contract).find(([exported]) => exported === name)?.[1]
  return typeof value === 'string' ? new RegExp(value, 'u') : null
}
