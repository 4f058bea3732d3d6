import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const KB_PER_MB = 1024

/** Returns the resident memory of a process in MB. */
export const residentMb = (pid: number): number => readStatus(pid, 'VmRSS')

/** Returns the peak of a process's resident memory in MB, since its start or `resetPeak`. */
export const peakMb = (pid: number): number => readStatus(pid, 'VmHWM')

export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

export const countDescriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

function readStatus(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`^${field}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0) / KB_PER_MB)
}

/** Returns how many files and sockets this process, and those that it starts, may have open. */
export function descriptorLimit(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8')
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? 0)
}
