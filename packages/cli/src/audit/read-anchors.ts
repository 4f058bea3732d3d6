import { resolve } from 'node:path'
import { usageError } from '../command-error.ts'
import { readText } from '../files/read-files.ts'
import type { Anchor } from './verify-export.ts'

/**
 * Reads anchors from a file: JSON or one JSON text a line. An anchor is found at any depth: in a list of
 * heads, the last line of an export, a log line or the body of a webhook.
 */
export function readAnchors(cwd: string, file: string): readonly Anchor[] {
  const text = readText(resolve(cwd, file), FILE_MAX_BYTES)
  const parsed = parse(text) ?? text.split('\n').filter(Boolean).map(parse)
  const anchors = [...findAnchors(parsed, 0)]
  if (anchors.length > 0) return anchors
  throw usageError(`${file} has no anchors: objects with chain, seq and hash.`)
}

/** The largest file of anchors: a log of months. */
const FILE_MAX_BYTES = 256 * 1024 * 1024

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const DEPTH_MAX = 10

function* findAnchors(value: unknown, depth: number): Generator<Anchor> {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return
  const { chain, hash, seq } = value as Record<string, unknown>
  if (typeof chain === 'string' && typeof hash === 'string' && Number.isInteger(seq))
    yield { chain, hash, seq: Number(seq) }
  else for (const inner of Object.values(value)) yield* findAnchors(inner, depth + 1)
}
