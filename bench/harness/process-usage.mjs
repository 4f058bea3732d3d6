import { readFileSync } from 'node:fs'

/** The unit of processor time on Linux, a hundredth of a second (`getconf CLK_TCK`). */
const MS_PER_TICK = 10
const BYTES_PER_KIB = 1024
/**
 * The index of fields 14 and 15 of /proc/PID/stat, counted after the program's name, which may contain
 * spaces.
 */
const USER_TICKS = 11
const SYSTEM_TICKS = 12

/** Returns the resident memory of a process in bytes. Linux only. */
export function residentBytes(pid) {
  const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * BYTES_PER_KIB
}

/**
 * Returns the processor time that a process has used in user and kernel mode, in milliseconds. Linux only.
 */
export function processorMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * MS_PER_TICK
}
