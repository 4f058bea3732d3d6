import { readFileSync } from 'node:fs'
import { errorCode } from '../log/error-code.ts'

/** The parameters of a PostgreSQL address that name files, which the driver reads. */
const FILE_PARAMETERS = ['sslrootcert', 'sslcert', 'sslkey']

/** Thrown when a file that the address of the database names cannot be read. */
export class CertificateFileUnreadable extends Error {
  override readonly name = 'CertificateFileUnreadable'
}

/** Throws `CertificateFileUnreadable` unless this process can read every file that the address names. */
export function requireCertificateFiles(address: string): void {
  const parameters = new URL(address).searchParams
  for (const name of FILE_PARAMETERS) {
    const path = parameters.get(name)
    if (path === null || path === '') continue
    try {
      readFileSync(path)
    } catch (error) {
      throw new CertificateFileUnreadable(
        `The file in ${name} of the database address cannot be read: ${path} (${errorCode(error)}). The account that runs the server must be able to read it.`,
      )
    }
  }
}
