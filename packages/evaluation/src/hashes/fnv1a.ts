import { utf8 } from './utf8.ts'

/** FNV-1a, 32 bits, as an unsigned integer (RFC 9923). */
export function fnv1a(text: string): number {
  const bytes = utf8(text)
  let hash = 0x811c9dc5
  for (let at = 0; at < bytes.length; at++) hash = Math.imul(hash ^ bytes.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
