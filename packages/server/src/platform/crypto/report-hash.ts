import { hash } from 'node:crypto'

const BYTES = 16

/**
 * Returns the hash by which users and values of reports are counted: the first 16 bytes of the SHA-256 of
 * their text. Node returns a text of one character a byte in a third of the time of a Buffer.
 */
export function reportHash(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(BYTES)
  bytes.write(hash('sha256', text, 'binary'), 0, BYTES, 'latin1')
  return bytes
}
