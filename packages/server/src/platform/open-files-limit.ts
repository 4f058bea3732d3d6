import { readFileSync } from 'node:fs'

const LIMITS_FILE = '/proc/self/limits'
const LIMITS_LINE = /^Max open files\s+(\S+)/m

/** How many files and sockets this process may have open at once; null where nothing limits it or nothing says so. */
export function readOpenFilesLimit(): number | null {
  const text = readLimitsFile() ?? readReport()
  const limit = Number(text)
  return text !== null && Number.isSafeInteger(limit) && limit > 0 ? limit : null
}

/** Linux says it in a file, which is read in no time; a report takes tens of milliseconds. */
function readLimitsFile(): string | null {
  try {
    return LIMITS_LINE.exec(readFileSync(LIMITS_FILE, 'utf8'))?.[1] ?? null
  } catch {
    return null
  }
}

function readReport(): string | null {
  // Node types the report as a bare object; it has no `userLimits` on Windows.
  const report = process.report?.getReport() as
    | { userLimits?: { openFiles?: { soft?: unknown } } }
    | undefined
  const soft = report?.userLimits?.openFiles?.soft
  return soft === undefined ? null : String(soft)
}
