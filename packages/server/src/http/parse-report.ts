import { isUtf8 } from 'node:buffer'
import {
  type Endpoint,
  IMPRESSION_VALUE_MAX_LENGTH,
  INGEST_BATCH_MAX,
  JSON_DEPTH_MAX,
  REPORTED_CONTEXT_MAX_BYTES,
} from '@burgee/contract'
import { type ReportBounds, readReport } from '../kernel/json/read-report.ts'
import { Refusal } from '../kernel/refusal.ts'
import { repairJson } from '../kernel/reported-text.ts'
import { inTurns, shareTurn } from '../platform/turns.ts'
import { tooManyItems } from './too-many-items.ts'

/** Up to it, parsing a report whole takes some milliseconds at the worst. */
const SMALL_REPORT_BYTES = 128 * 1024
/** U+FEFF in UTF-8, which may stand before a text. */
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** What SDKs report is repaired and cut, not refused: odd characters, long texts, large contexts. */
export async function parseReport(endpoint: Endpoint, bytes: Buffer): Promise<unknown> {
  await shareTurn()
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

/** The fields are those of the endpoint's items; the longest text that is kept of any of them is the value of an impression. */
function boundsOf({ batchMax: items = INGEST_BATCH_MAX, body }: Endpoint): ReportBounds {
  const item: { properties?: object } = body && 'items' in body ? Object(body.items) : {}
  return {
    items,
    fields: new Set(Object.keys(item.properties ?? {})),
    textLength: IMPRESSION_VALUE_MAX_LENGTH,
    freeForm: { field: 'context', maxBytes: REPORTED_CONTEXT_MAX_BYTES, maxDepth: JSON_DEPTH_MAX },
  }
}
