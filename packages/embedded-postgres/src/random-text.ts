import { randomBytes } from 'node:crypto'

const SECRET_BYTES = 32
const NAME_BYTES = 9

/** A new secret: 256 random bits as 43 URL-safe characters. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** A part of a file's name that no other process chooses. */
export const uniqueName = (): string => randomBytes(NAME_BYTES).toString('base64url')
