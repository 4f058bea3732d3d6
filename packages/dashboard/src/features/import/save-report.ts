import type { ImportResult } from '@burgee/contract'
import { saveFile } from '../../shared/ui/save-file.ts'

/** Saves the report of an import, as `burgee import` writes it to report.json. */
export function saveReport({ flags, notes, system }: ImportResult): void {
  const text = `${JSON.stringify({ system, flags, notes }, null, 2)}\n`
  saveFile(new Blob([text], { type: 'application/json' }), 'report.json')
}
