/**
 * Returns the names of the tables that the statements of a migration lock for more than reading: what it
 * alters, indexes, references, fills, or gives triggers, also tables that it creates. It knows what the
 * migrations use. What functions and texts in loops lock is found by running them
 * (`migration-locks.test.ts`).
 *
 * `tablesOfIndexes` has the table of each index of earlier migrations; those of this one are added.
 */
export function lockedTables(text: string, tablesOfIndexes: Map<string, string>): readonly string[] {
  const found: string[] = []
  for (const statement of statementsOf(text)) {
    for (const pattern of LOCKING) for (const [, names = ''] of statement.matchAll(pattern)) found.push(names)
    for (const [, name = ''] of statement.matchAll(OLD_INDEX)) found.push(tablesOfIndexes.get(name) ?? '')
    for (const [, index = '', table = ''] of statement.matchAll(NEW_INDEX)) tablesOfIndexes.set(index, table)
  }
  return found.flatMap((names) => names.split(',').map((name) => name.trim().split(' ')[0] ?? ''))
}

/** The statements without comments and without the bodies of functions, which are not run. */
function statementsOf(text: string): readonly string[] {
  return text
    .replace(/--.*$/gm, '')
    .replace(/(create (?:or replace )?function[^;]*?as )\$\$.*?\$\$/gis, '$1')
    .replaceAll('$$', ';')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
}

const NEW_INDEX = /create (?:unique )?index ([a-z_0-9]+) on (?:only )?([a-z_0-9]+)/gi
const OLD_INDEX = /(?:drop|alter) index (?:if exists )?([a-z_0-9]+)/gi
const LOCKING = [
  /alter table (?:if exists )?(?:only )?([a-z_0-9]+)/gi,
  /create (?:unique )?index (?:[a-z_0-9]+ )?on (?:only )?([a-z_0-9]+)/gi,
  /references ([a-z_0-9]+)/gi,
  /^create (?:constraint )?trigger [a-z_0-9]+ (?:before|after) .*? on ([a-z_0-9]+) /gi,
  /drop trigger (?:if exists )?[a-z_0-9]+ on ([a-z_0-9]+)/gi,
  /drop table (?:if exists )?([a-z_0-9, ]+)/gi,
  /truncate (?:table )?(?:only )?([a-z_0-9, ]+)/gi,
  /(?:^|[ (])update (?:only )?([a-z_0-9]+) (?:[a-z]+ )?set /gi,
  /insert into ([a-z_0-9]+)/gi,
  /delete from (?:only )?([a-z_0-9]+)/gi,
  /lock table ([a-z_0-9, ]+)/gi,
  /partition of ([a-z_0-9]+)/gi,
  /(?:attach|detach) partition ([a-z_0-9]+)/gi,
  /(?:grant|revoke) .*? on (?:table )?([a-z_0-9]+) (?:to|from)/gi,
]
