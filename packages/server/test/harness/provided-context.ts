import type { DatabaseAddress } from '../../src/platform/db/database-connection.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of this test run, by role; `createTestDatabase` clones its template. */
    postgres: Readonly<Record<'superuser' | 'owner' | 'application', DatabaseAddress>>
  }
}

/** The migrated database that is cloned for each test file. */
export const TEMPLATE_DATABASE = 'burgee_template'
