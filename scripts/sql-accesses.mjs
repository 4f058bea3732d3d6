/** Finds the tables that a text of SQL reads and writes. */

/** Stands in a text for a table that a variable names. */
export const VARIABLE_TABLE = '$table'
/** Stands in a text for any other value that is inserted. */
export const PARAMETER = '$1'

/** @typedef {'read' | 'insert' | 'update' | 'delete'} Kind */

const SCHEMA = '(?:"?[a-z_][a-z0-9_]*"?\\s*\\.\\s*)?'
const NAME = `${SCHEMA}"?([a-z_][a-z0-9_]*|\\$table)"?`
/** A table that a statement writes: a value cannot stand there, so it is a table as well. */
const TARGET = `${SCHEMA}"?([a-z_][a-z0-9_]*|\\$table|\\$1)"?`
const ONLY = '(?:only\\s+)?'

/**
 * The statements that write, in SQL without upper case. `for update`, `do update set` and `on delete` are
 * none.
 */
const WRITES = /** @type {[Kind, RegExp][]} */ ([
  ['insert', new RegExp(`\\b(?:insert|merge)\\s+into\\s+${ONLY}${TARGET}`, 'g')],
  ['insert', new RegExp(`\\bcopy\\s+${TARGET}\\s*(?:\\([^)]*\\)\\s*)?from\\s+stdin`, 'g')],
  ['update', new RegExp(`\\bupdate\\s+${ONLY}${TARGET}(?:\\s+(?:as\\s+)?\\w+)?\\s+set\\b`, 'g')],
  ['delete', new RegExp(`\\bdelete\\s+from\\s+${ONLY}${TARGET}`, 'g')],
])
const TRUNCATE = /\btruncate\s+(?:table\s+)?/g
const READS = new RegExp(`(?<!\\bdelete\\s+)\\b(from|join|using)\\s+(?:only\\s+|lateral\\s+)?${NAME}`, 'g')
const LISTED = new RegExp(`^\\s*(?:only\\s+|lateral\\s+)?${TARGET}`)
/** The end of a list of tables in a text without parentheses. */
const LIST_END =
  /[);]|\b(?:where|group|order|having|limit|offset|returning|union|intersect|except|window|fetch|for|set|select|restart|continue|cascade|restrict)\b/
const CTES = new RegExp(
  `(?:\\bwith\\s+(?:recursive\\s+)?|,\\s*)${NAME}\\s*(?:\\([^()]*\\)\\s*)?as\\s+(?:not\\s+)?(?:materialized\\s*)?\\(`,
  'g',
)
const IS_SQL =
  /\b(?:select\b[\s\S]*\bfrom|insert\s+into|update\s+[\s\S]*\bset|delete\s+from|truncate|merge\s+into|copy|(?:from|join|using)\s+["$]?[a-z_]+)\b/

/**
 * @param {string} original
 * @param {(table: string, kind: Kind, columns: string[] | null) => void} add
 */
export function readSql(original, add) {
  const text = original.toLowerCase()
  if (!IS_SQL.test(text)) return
  for (const [kind, pattern] of WRITES) {
    for (const match of text.matchAll(pattern)) {
      const columns = kind === 'update' ? columnsAfter(text.slice(match.index + match[0].length)) : null
      add(match[1] ?? '', kind, columns)
    }
  }
  for (const match of text.matchAll(TRUNCATE))
    for (const table of listAfter(text.slice(match.index + match[0].length))) add(table, 'delete', null)
  const local = new Set([...text.matchAll(CTES)].map(([, name = '']) => name))
  for (const match of text.matchAll(READS)) {
    const [whole, word, name = ''] = match
    const after = text.slice(match.index + whole.length)
    const further = word === 'join' ? [] : listAfter(after).slice(1)
    for (const table of [name, ...further])
      if (!local.has(table) && table !== PARAMETER) add(table, 'read', null)
  }
}

/**
 * The tables of a list, without those that it joins. The first is empty where the text begins after its
 * name.
 * @param {string} text
 */
function listAfter(text) {
  const [list = ''] = withoutParentheses(text).split(LIST_END)
  return list.split(',').map((item) => LISTED.exec(item)?.[1] ?? '')
}

/**
 * The columns of `set a = 1, b = ...`; null where they are not known, as those of `(a, b) = ...`.
 * @param {string} text
 */
function columnsAfter(text) {
  const [list = ''] = withoutParentheses(text).split(/[);]|\b(?:where|from|returning)\b/)
  const items = list.split(',').map((item) => /^\s*"?([a-z_][a-z0-9_]*)"?\s*=/.exec(item)?.[1])
  return items.every((column) => column !== undefined) ? items : null
}

/**
 * Removes texts and what is in parentheses. A parenthesis that the text does not open stays.
 * @param {string} text
 */
function withoutParentheses(text) {
  let before = text.replace(/'[^']*'/g, "''")
  for (;;) {
    const after = before.replace(/\([^()]*\)/g, '')
    if (after === before) return after
    before = after
  }
}
