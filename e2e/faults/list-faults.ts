import { readdirSync } from 'node:fs'
import type { Fault } from './fault.ts'

const ROWS = new URL('./rows/', import.meta.url)

/** Returns the names of all rows, which are the names of their files. */
export function listFaultNames(): readonly string[] {
  return readdirSync(ROWS)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
}

export async function loadFault(name: string): Promise<Fault> {
  const { fault }: { fault: Fault } = await import(new URL(`${name}.ts`, ROWS).href)
  return fault
}
