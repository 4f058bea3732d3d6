/** Finds the tables that a source file reads and writes, through kysely and in texts of SQL. */
import ts from 'typescript'

/**
 * @typedef {object} Access
 * @property {string} table
 * @property {'read' | 'insert' | 'update' | 'delete'} kind
 * @property {string[] | null} columns The columns of an update; null where they are not known, and else.
 * @property {number} line
 */

/** The methods of kysely that name tables in their first argument. */
const METHODS = new Map(
  /** @type {[Access['kind'], string[]][]} */ ([
    ['insert', ['insertInto', 'replaceInto', 'mergeInto']],
    ['update', ['updateTable']],
    ['delete', ['deleteFrom', 'truncateTable']],
    ['read', ['selectFrom', 'from', 'using', 'table']],
    ['read', ['innerJoin', 'leftJoin', 'rightJoin', 'fullJoin', 'crossJoin']],
    ['read', ['innerJoinLateral', 'leftJoinLateral', 'crossJoinLateral']],
  ]).flatMap(([kind, names]) => names.map((name) => /** @type {const} */ ([name, kind]))),
)
/** The functions of `platform/db` that name a table in their second argument. */
const FUNCTIONS = new Map(
  /** @type {[string, Access['kind']][]} */ ([
    ['rowExists', 'read'],
    ['deleteExpired', 'delete'],
  ]),
)
const CTE_METHODS = new Set(['with', 'withRecursive'])
const NAME = '"?([a-z_][a-z0-9_]*)"?'
/**
 * The statements that write, in SQL without upper case. `for update`, `do update set` and `on delete` are
 * none.
 */
const WRITES = /** @type {[Access['kind'], RegExp][]} */ ([
  ['insert', new RegExp(`\\b(?:insert|merge)\\s+into\\s+${NAME}`, 'g')],
  ['insert', new RegExp(`\\bcopy\\s+${NAME}\\s*(?:\\([^)]*\\)\\s*)?from\\s+stdin`, 'g')],
  ['update', new RegExp(`\\bupdate\\s+(?:only\\s+)?${NAME}(?:\\s+(?:as\\s+)?\\w+)?\\s+set\\b`, 'g')],
  ['delete', new RegExp(`\\bdelete\\s+from\\s+(?:only\\s+)?${NAME}`, 'g')],
  ['delete', new RegExp(`\\btruncate\\s+(?:table\\s+)?${NAME}`, 'g')],
])
const READS = new RegExp(`(?<!\\bdelete\\s+)\\b(?:from|join|using)\\s+(?:only\\s+|lateral\\s+)?${NAME}`, 'g')
/** A further name in a list of tables, after the alias of the one before. */
const LISTED = new RegExp(`^(?:\\s+(?:as\\s+)?\\w+)?\\s*,\\s*${NAME}`)
const CTES = new RegExp(
  `(?:\\bwith\\s+(?:recursive\\s+)?|,\\s*)${NAME}\\s*(?:\\([^()]*\\)\\s*)?as\\s+(?:not\\s+)?(?:materialized\\s*)?\\(`,
  'g',
)
const IS_SQL =
  /\b(?:select\b[\s\S]*\bfrom|insert\s+into|update\s+[\s\S]*\bset|delete\s+from|truncate|merge\s+into|copy|(?:from|join|using)\s+"?[a-z_]+)\b/

/**
 * Returns what a file reads and writes of the given tables. Where a method gets a variable, each table that
 * the file names counts.
 * @param {string} text
 * @param {ReadonlySet<string>} tables
 * @returns {Access[]}
 */
export function findAccesses(text, tables) {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true)
  const ctes = cteNames(source)
  /** @type {Access[]} */
  const found = []
  /** @type {(node: ts.Node, table: string, kind: Access['kind'], columns?: string[] | null) => void} */
  const add = (node, table, kind, columns = null) => {
    if (!tables.has(table) || ctes.has(table)) return
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
    found.push({ table, kind, columns, line })
  }
  visit(source, (node) => {
    if (ts.isCallExpression(node)) readCall(node, { source, tables, add })
    else if (isText(node)) readSql(textOf(node), (table, kind, columns) => add(node, table, kind, columns))
  })
  return found
}

/**
 * @param {ts.CallExpression} call
 * @param {{ source: ts.SourceFile, tables: ReadonlySet<string>, add: Function }} context
 */
function readCall(call, { source, tables, add }) {
  if (ts.isIdentifier(call.expression)) {
    const kind = FUNCTIONS.get(call.expression.text)
    const table = call.arguments[1]
    if (kind && table) for (const name of namesIn(table) ?? literalsOf(source, tables)) add(call, name, kind)
  }
  if (!ts.isPropertyAccessExpression(call.expression)) return
  const kind = METHODS.get(call.expression.name.text)
  const argument = call.arguments[0]
  if (kind === undefined || argument === undefined) return
  const columns = kind === 'update' ? columnsSet(call) : null
  // Arrays and buffers have a `from` as well.
  if (namesIn(argument) === null && call.expression.name.text === 'from') return
  for (const table of namesIn(argument) ?? literalsOf(source, tables)) add(call, table, kind, columns)
}

/**
 * The tables that an argument names; null where it is a variable.
 * @param {ts.Expression} argument
 * @returns {string[] | null}
 */
function namesIn(argument) {
  if (ts.isStringLiteralLike(argument)) return [/^\w+/.exec(argument.text)?.[0] ?? '']
  if (ts.isArrayLiteralExpression(argument)) return argument.elements.flatMap((item) => namesIn(item) ?? [])
  return ts.isArrowFunction(argument) ? [] : null
}

/**
 * The columns that `.set(...)` of an update names; null where it gets anything but a literal of columns.
 * @param {ts.CallExpression} update
 */
function columnsSet(update) {
  /** @type {string[]} */
  const columns = []
  /** @type {ts.Node} */
  let node = update
  while (ts.isPropertyAccessExpression(node.parent) && ts.isCallExpression(node.parent.parent)) {
    const call = node.parent.parent
    if (node.parent.name.text === 'set') {
      const set = call.arguments[0] && columnsOf(call.arguments)
      if (!set) return null
      columns.push(...set)
    }
    node = call
  }
  return columns
}

/**
 * @param {ts.NodeArray<ts.Expression>} args
 * @returns {string[] | null}
 */
function columnsOf([first]) {
  if (first === undefined) return null
  if (ts.isStringLiteralLike(first)) return [first.text]
  if (ts.isArrowFunction(first) && ts.isParenthesizedExpression(first.body))
    return objectKeys(first.body.expression)
  return objectKeys(first)
}

/**
 * @param {ts.Expression} value
 * @returns {string[] | null}
 */
function objectKeys(value) {
  if (!ts.isObjectLiteralExpression(value)) return null
  const keys = value.properties.map((property) => (property.name ? property.name.getText() : null))
  return keys.every((key) => key !== null) ? keys : null
}

/**
 * @param {string} text
 * @param {(table: string, kind: Access['kind'], columns: string[] | null) => void} add
 */
function readSql(text, add) {
  if (!IS_SQL.test(text)) return
  const local = new Set([...text.matchAll(CTES)].map(([, name = '']) => name))
  for (const [kind, pattern] of WRITES) {
    for (const match of text.matchAll(pattern)) {
      const after = text.slice(match.index + match[0].length)
      add(match[1] ?? '', kind, kind === 'update' ? columnsAfter(after) : null)
    }
  }
  for (const match of text.matchAll(READS)) {
    let name = match[1] ?? ''
    let rest = text.slice(match.index + match[0].length)
    for (;;) {
      if (!local.has(name)) add(name, 'read', null)
      const next = LISTED.exec(rest)
      if (next === null) break
      name = next[1] ?? ''
      rest = rest.slice(next[0].length)
    }
  }
}

/**
 * The columns of `set a = 1, (b, c) = ...`, as far as they are at the level of the statement.
 * @param {string} text
 */
function columnsAfter(text) {
  const flat = withoutParentheses(text.split(/\b(?:where|from|returning)\b/)[0] ?? '')
  const columns = [...flat.matchAll(/(?:^|,)\s*"?([a-z_][a-z0-9_]*)"?\s*=/g)].map(([, name = '']) => name)
  return columns.length > 0 ? columns : null
}

/** @param {string} text */
function withoutParentheses(text) {
  let before = text
  for (;;) {
    const after = before.replace(/\([^()]*\)/g, '')
    if (after === before) return after
    before = after
  }
}

/**
 * The names of the common table expressions of a file.
 * @param {ts.SourceFile} source
 */
function cteNames(source) {
  /** @type {Set<string>} */
  const names = new Set()
  visit(source, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
    const [first, second] = node.arguments
    if (!CTE_METHODS.has(node.expression.name.text) || first === undefined || second === undefined) return
    if (ts.isStringLiteralLike(first)) names.add(/^\w+/.exec(first.text)?.[0] ?? '')
  })
  return names
}

/**
 * Tests a call of a method that names its table itself.
 * @param {ts.Node} node
 */
const isNamedBy = (node) =>
  ts.isCallExpression(node) &&
  (ts.isPropertyAccessExpression(node.expression)
    ? METHODS.has(node.expression.name.text)
    : ts.isIdentifier(node.expression) && FUNCTIONS.has(node.expression.text))

/**
 * The texts of a file that are names of tables, for a method that gets a variable.
 * @param {ts.SourceFile} source
 * @param {ReadonlySet<string>} tables
 */
function literalsOf(source, tables) {
  /** @type {Set<string>} */
  const names = new Set()
  visit(source, (node) => {
    if (ts.isStringLiteralLike(node) && tables.has(node.text) && !isNamedBy(node.parent)) names.add(node.text)
  })
  return names
}

/** @param {ts.Node} node */
const isText = (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)

/**
 * The text of a literal; what a template inserts is a parameter.
 * @param {ts.Node} node
 */
function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return ''
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('$1')
}

/**
 * @param {ts.Node} node
 * @param {(node: ts.Node) => void} onNode
 */
function visit(node, onNode) {
  onNode(node)
  ts.forEachChild(node, (child) => visit(child, onNode))
}
