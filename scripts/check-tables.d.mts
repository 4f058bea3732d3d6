type Owner = string | { room: string; columns: Record<string, string[] | 'all'> }
export function readOwners(): Record<string, Owner>
export function findForeignAccesses(
  file: string,
  text: string,
  owners: Record<string, Owner>,
  isExcepted: (read: { file: string; table: string }) => boolean,
): string[]
interface UpwardRead {
  file: string
  table: string
  reason: string
}
export function createExceptions(rows: readonly UpwardRead[]): {
  isExcepted(read: { file: string; table: string }): boolean
  listUnused(): UpwardRead[]
}
