import { INTEGER_ID_MAX } from '@burgee/contract'

/** Returns the id of an account; nothing for a text that cannot be one. */
export function toUserId(id: string): number[] {
  const number = /^[1-9]\d{0,9}$/.test(id) ? Number(id) : 0
  return number > 0 && number <= INTEGER_ID_MAX ? [number] : []
}
