/** The ETag of a flag at a revision (RFC 9110, section 8.8.3). */
export const etagOf = (revision: number): string => `"${revision}"`
