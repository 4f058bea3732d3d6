import { readdirSync, readFileSync } from 'node:fs'

const BYTES_PER_KB = 1024
const KB_PER_MB = 1024

/** The resources of a process according to Linux; null without /proc. */
export interface ProcessFigures {
  readonly residentMb: number
  readonly openFiles: number
}

export function readProcess(pid: number): ProcessFigures | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const residentKb = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1])
    return {
      residentMb: Math.round((residentKb * BYTES_PER_KB) / (KB_PER_MB * BYTES_PER_KB)),
      openFiles: readdirSync(`/proc/${pid}/fd`).length,
    }
  } catch {
    return null
  }
}
