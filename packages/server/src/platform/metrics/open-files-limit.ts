import { readFileSync } from 'node:fs'

const LIMITS_FILE = '/proc/self/limits'
const LIMITS_LINE = /^Max open files\s+(\S+)/m

/**
 * Returns how many files and sockets this process may have open; null when there is no limit or it is
 * unknown.
 */
export function readOpenFilesLimit(): number | null {
  const text = readLimitsFile() ?? readReport()
  const limit = Number(text)
  return text !== null && Number.isSafeInteger(limit) && limit > 0 ? limit : null
}

/** Reads the limit from a file of Linux, which takes no time; a report takes tens of milliseconds. */
function readLimitsFile(): string | null {
  try {
    return LIMITS_LINE.exec(readFileSync(LIMITS_FILE, 'utf8'))?.[1] ?? null
  } catch {
    return null
  }
}

function readReport(): string | null {
  // The types of Node declare the report as a bare object; it has no `userLimits` on Windows.
  const report = process.report?.getReport() as
    | { userLimits?: { openFiles?: { soft?: unknown } } }
    | undefined
  const soft = report?.userLimits?.openFiles?.soft
  return soft === undefined ? null : String(soft)
}
