import { hash } from 'node:crypto'

const BYTES = 16

/**
 * Returns the hash by which users and values of reports are counted: the first 16 bytes of the SHA-256 of
 * their text.
 */
export const reportHash = (text: string): Buffer => hash('sha256', text, 'buffer').subarray(0, BYTES)
