import { isUtf8 } from 'node:buffer'
import {
  type Endpoint,
  IMPRESSION_VALUE_MAX_LENGTH,
  INGEST_BATCH_MAX,
  JSON_DEPTH_MAX,
  REPORTED_CONTEXT_MAX_BYTES,
} from '@burgee/contract'
import { Refusal } from '../../kernel/refusal.ts'
import { inTurns, shareTurn } from '../../platform/concurrency/turns.ts'
import { type ReportBounds, readReport } from '../../reporting/ingest/read-report.ts'
import { repairJson } from '../../reporting/ingest/reported-text.ts'
import { LARGE_BODY_BYTES } from './limit-bodies.ts'
import { tooManyItems } from './too-many-items.ts'

/** The size up to which a report is parsed at once, in some milliseconds at worst. */
export const SMALL_REPORT_BYTES = 128 * 1024
/** U+FEFF in UTF-8, which may precede a text. */
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses reports of SDKs, which are repaired and cut instead of refused: invalid characters, long texts,
 * large contexts.
 */
export async function parseReport(endpoint: Endpoint, bytes: Buffer): Promise<unknown> {
  if (bytes.length > LARGE_BODY_BYTES) await shareTurn()
  if (bytes.length <= SMALL_REPORT_BYTES) return parseWhole(bytes)
  if (!isUtf8(bytes)) throw malformed()
  const hasMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
  const text = hasMark ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes
  const report = await inTurns(readReport(text, boundsOf(endpoint)))
  switch (report.kind) {
    case 'report':
      return report.body
    case 'malformed':
      throw malformed()
    case 'too many items':
      throw tooManyItems(endpoint)
  }
}

function parseWhole(bytes: Buffer): unknown {
  try {
    return JSON.parse(repairJson(utf8.decode(bytes)))
  } catch {
    throw malformed()
  }
}

const malformed = () => new Refusal('malformed', 'The body is not valid JSON in UTF-8.')

/**
 * Returns the bounds. The fields are those of the endpoint's items; the longest text that is kept is the
 * value of an impression.
 */
function boundsOf({ batchMax: items = INGEST_BATCH_MAX, body }: Endpoint): ReportBounds {
  const item: { properties?: object } = body && 'items' in body ? Object(body.items) : {}
  return {
    items,
    fields: new Set(Object.keys(item.properties ?? {})),
    textLength: IMPRESSION_VALUE_MAX_LENGTH,
    freeForm: { field: 'context', maxBytes: REPORTED_CONTEXT_MAX_BYTES, maxDepth: JSON_DEPTH_MAX },
  }
}
