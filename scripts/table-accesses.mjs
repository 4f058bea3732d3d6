/** Finds the tables that a source file reads and writes, through kysely and in texts of SQL. */
import ts from 'typescript'
import { PARAMETER, readSql, VARIABLE_TABLE } from './sql-accesses.mjs'

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

/**
 * Returns what a file reads and writes of the given tables. Where a method gets a variable, each table that
 * the file names counts.
 * @param {string} text
 * @param {ReadonlySet<string>} tables
 * @returns {Access[]}
 */
export function findAccesses(text, tables) {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true)
  /** @type {Access[]} */
  const found = []
  /** @type {(node: ts.Node, table: string, kind: Access['kind'], columns?: string[] | null) => void} */
  const add = (node, table, kind, columns = null) => {
    if (table === VARIABLE_TABLE || table === PARAMETER) {
      for (const name of literalsOf(source, tables)) add(node, name, kind, columns)
      return
    }
    // A statement reads the rows of an expression that is named like a table, and writes those of the table.
    if (!tables.has(table) || (kind === 'read' && cteNames(node).has(table))) return
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
    found.push({ table, kind, columns, line })
  }
  visit(source, (node) => {
    if (ts.isCallExpression(node)) readCall(node, { source, tables, add })
    else if (isText(node)) readSql(textOf(node), (table, kind, columns) => add(node, table, kind, columns))
  })
  return [...new Map(found.map((access) => [JSON.stringify(access), access])).values()]
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
  // A text of SQL has its table, and the kind of the statement.
  if (isTableCall(call) && ts.isTemplateSpan(call.parent)) return
  // Arrays and buffers have a `from` as well.
  const { expression: receiver } = call.expression
  if (call.expression.name.text === 'from' && /^[A-Z]/.test(receiver.getText(source))) return
  const columns = kind === 'update' ? columnsSet(call) : null
  for (const table of namesIn(argument) ?? literalsOf(source, tables)) add(call, table, kind, columns)
}

/**
 * The tables that an argument names; null where it is a variable.
 * @param {ts.Expression} argument
 * @returns {string[] | null}
 */
function namesIn(argument) {
  if (ts.isStringLiteralLike(argument)) return [/^(?:\w+\.)?(\w+)/.exec(argument.text)?.[1] ?? '']
  if (ts.isArrayLiteralExpression(argument)) return argument.elements.flatMap((item) => namesIn(item) ?? [])
  return ts.isArrowFunction(argument) ? [] : null
}

/**
 * The columns that `.set(...)` of an update names; null where it gets anything but a literal of columns, or
 * is not in the chain of the update.
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
  // A variable may get its columns elsewhere.
  return columns.length > 0 ? columns : null
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
 * The names of the common table expressions that a node sees: those of the chains that it is in.
 * @param {ts.Node} node
 */
function cteNames(node) {
  /** @type {Set<string>} */
  const names = new Set()
  for (let up = node; up; up = up.parent) {
    /** @type {ts.Node} */
    let link = up
    while (ts.isCallExpression(link) && ts.isPropertyAccessExpression(link.expression)) {
      const [first] = link.arguments
      if (CTE_METHODS.has(link.expression.name.text) && first && ts.isStringLiteralLike(first))
        names.add(/^\w+/.exec(first.text)?.[0] ?? '')
      link = link.expression.expression
    }
  }
  return names
}

/**
 * Tests a call of a method that names its table itself.
 * @param {ts.Node} node
 */
const isNamedBy = (node) =>
  ts.isCallExpression(node) &&
  (ts.isPropertyAccessExpression(node.expression)
    ? METHODS.has(node.expression.name.text) && (!isTableCall(node) || ts.isTemplateSpan(node.parent))
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
 * The text of a literal with the constants of its file that a template inserts, and the tables that
 * `sql.table` names. What else it inserts is a parameter.
 * @param {ts.Node} node
 * @param {readonly ts.Node[]} within The texts that this one is inserted in.
 * @returns {string}
 */
function textOf(node, within = []) {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return ''
  const path = [...within, node]
  return node.templateSpans.reduce(
    (text, { expression, literal }) => text + insertedText(expression, path) + literal.text,
    node.head.text,
  )
}

/**
 * @param {ts.Expression} expression
 * @param {readonly ts.Node[]} path
 * @returns {string}
 */
function insertedText(expression, path) {
  if (isTableCall(expression)) {
    const [name] = namesIn(/** @type {ts.Expression} */ (expression.arguments[0])) ?? []
    return name ?? VARIABLE_TABLE
  }
  const value = ts.isTaggedTemplateExpression(expression) ? expression.template : expression
  if (path.includes(value)) return PARAMETER
  if (isText(value)) return textOf(value, path)
  const initial = ts.isIdentifier(value) ? initialOf(value) : undefined
  return initial ? insertedText(initial, [...path, value]) : PARAMETER
}

/**
 * The value of the constant that an identifier refers to.
 * @param {ts.Identifier} identifier
 */
function initialOf(identifier) {
  /** @type {ts.Expression | undefined} */
  let initial
  visit(identifier.getSourceFile(), (node) => {
    if (!ts.isVariableDeclaration(node) || node.name.getText() !== identifier.text) return
    const scope = node.parent.parent.parent
    // The innermost is the last of those whose scope has the identifier.
    if (scope.pos <= identifier.pos && identifier.end <= scope.end) initial = node.initializer
  })
  return initial
}

/**
 * Tests a call such as `sql.table('users')`.
 * @param {ts.Node} node
 * @returns {node is ts.CallExpression}
 */
const isTableCall = (node) =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === 'table' &&
  node.arguments.length === 1

/**
 * @param {ts.Node} node
 * @param {(node: ts.Node) => void} onNode
 */
function visit(node, onNode) {
  onNode(node)
  ts.forEachChild(node, (child) => visit(child, onNode))
}
