import type { DatabaseAddress } from '../../src/platform/db/database-connection.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of this test run; its template is what `createTestDatabase` clones. */
    postgres: DatabaseAddress
  }
}

/** The migrated database that is cloned for each test file. */
export const TEMPLATE_DATABASE = 'burgee_template'
