/** Thrown when the database cannot be migrated to the schema of this build. The message is one clear line. */
export class MigrationError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'MigrationError'
  }
}
