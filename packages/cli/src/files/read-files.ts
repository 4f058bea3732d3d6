import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { decodeText } from '@burgee/contract'
import { type Document, isNode, LineCounter, parseAllDocuments } from 'yaml'
import { usageError } from '../command-error.ts'
import { type ApplyDocument, checkDocument, type ParsedDocument } from './apply-file.ts'
import { cannotRead } from './file-problem.ts'

const MIB = 1024 * 1024
/** The largest size of all files together, in bytes: as much as one request may have. */
const FILES_MAX_BYTES = 8 * MIB
/** Aliases share a value, but each use counts: otherwise a few lines could stand for gigabytes. */
const ALIASES_MAX = 100
const PROBLEMS_SHOWN = 50

/** Reads files of YAML or JSON, with one or several documents each. Throws with every problem. */
export function readApplyFiles(paths: readonly string[], cwd: string): ApplyDocument[] {
  let bytes = 0
  const problems: string[] = []
  const documents: ApplyDocument[] = []
  for (const path of paths) {
    const text = readText(resolve(cwd, path), FILES_MAX_BYTES, bytes)
    bytes += Buffer.byteLength(text)
    const name = relative(cwd, resolve(cwd, path)) || path
    for (const parsed of parseDocuments(name, text, problems)) {
      const checked = checkDocument(parsed)
      if ('place' in checked) documents.push(checked)
      else problems.push(...checked)
    }
  }
  if (problems.length > 0)
    throw usageError('The files are invalid, and nothing was sent.', problems.slice(0, PROBLEMS_SHOWN))
  if (documents.length === 0) throw usageError(`${paths.join(', ')}: there is no document.`)
  return documents
}

/** Reads a text file of at most `maxBytes`, together with the `bytesBefore` of the files before it. */
export function readText(path: string, maxBytes: number, bytesBefore?: number): string {
  try {
    const file = openSync(path, 'r')
    try {
      if (!fstatSync(file).isFile()) throw new Error('it is no file')
      if (fstatSync(file).size > maxBytes - (bytesBefore ?? 0))
        throw new Error(
          `${bytesBefore === undefined ? 'it' : 'the files together'} may have at most ${maxBytes / MIB} MiB`,
        )
      return decodeText(readFileSync(file))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw cannotRead(path, error)
  }
}

function* parseDocuments(name: string, text: string, problems: string[]): Generator<ParsedDocument> {
  const lines = new LineCounter()
  const at = (offset: number) => `${name}:${lines.linePos(offset).line}`
  for (const document of parse(text, lines)) {
    if (document.errors.length > 0) {
      problems.push(
        ...new Set(document.errors.map(({ pos, message }) => `${at(pos[0])}: ${explain(message)}`)),
      )
      continue
    }
    try {
      // An empty document, as after a last separator, is none.
      if (document.contents === null) continue
      const value: unknown = document.toJS({ maxAliasCount: ALIASES_MAX })
      // JSON has no separator of documents: several are a list.
      if (!Array.isArray(value)) yield { value, place: (path) => at(offsetOf(document, path)) }
      else
        for (const [index, item] of value.entries())
          yield { value: item, place: (path) => at(offsetOf(document, [index, ...path])) }
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

/** The parser calls itself for each level, and reports that it ran out of stack. */
const explain = (message: string): string =>
  message.startsWith('Maximum call stack') ? 'nested too deeply' : (message.split('\n')[0] ?? message)

function parse(text: string, lineCounter: LineCounter): Document.Parsed[] {
  const parsed = parseAllDocuments(text, { lineCounter, prettyErrors: false, version: '1.2' })
  return Array.isArray(parsed) ? parsed : []
}

function offsetOf(document: Document.Parsed, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return document.contents?.range?.[0] ?? 0
}
