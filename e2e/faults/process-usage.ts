import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const KB_PER_MB = 1024

/** Resident memory of a process in MB. */
export const residentMb = (pid: number): number => readStatus(pid, 'VmRSS')

/** The most that a process ever had resident, in MB, or since `resetPeak`. */
export const peakMb = (pid: number): number => readStatus(pid, 'VmHWM')

export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

export const countDescriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

function readStatus(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`^${field}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0) / KB_PER_MB)
}

/** How many files and sockets this process, and those that it starts, may have open. */
export function descriptorLimit(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8')
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? 0)
}
