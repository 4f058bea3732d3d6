/** Formats a time for a field of dates in the browser's time zone: `2026-08-01T09:30:00`. */
export function toFieldText(at: string): string {
  const moment = new Date(at)
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19)
}

/** Reads the text of such a field; null where it is incomplete. */
export function fromFieldText(text: string): string | null {
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}
