const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns whether a text is a UUID in its usual form, in either case (RFC 9562, section 4). */
export const isUuid = (text: string): boolean => UUID.test(text)
