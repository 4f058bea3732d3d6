/**
 * `node scripts/check-functions.mjs`: checks the length of functions, which CONTRIBUTING.md bounds. Lines of
 * JSX count; blank lines, comments and the lines of a statement of SQL do not. Part of `npm run check`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { ROOT } from './prepare.mjs'

const LINES_MAX = 60
const JSX_LINES_MAX = 75

/**
 * Functions that exceed the bound, by package and name, with the lines that each may have at most. Shorten
 * one, and lower its number or remove it. None is added.
 */
const CEILINGS = new Map(
  Object.entries({
    'cli scan': 61,
    'dashboard AnalyticsTab': 76,
    'dashboard ComparePage': 77,
    'dashboard ConditionList': 81,
    'dashboard DriftMatrix': 76,
    'dashboard EnvironmentForm': 92,
    'dashboard EnvironmentMenu': 85,
    'dashboard ExperimentForm': 77,
    'dashboard FilterControls': 96,
    'dashboard FlagActions': 81,
    'dashboard FlagTable': 79,
    'dashboard Frame': 78,
    'dashboard IncidentPage': 96,
    'dashboard NewFlagForm': 82,
    'dashboard RotateKeyDialog': 85,
    'dashboard RuleItem': 88,
    'dashboard RulesEditor': 81,
    'dashboard ScheduleForm': 90,
    'dashboard SubjectForm': 84,
    'evaluation createClosures': 72,
    'evaluation createFlagSetWith': 77,
    'sdk createEvaluator': 76,
    'sdk createSnapshotPolling': 68,
    'sdk createStreamConnection': 68,
    'sdk followValues': 72,
    'server authHandlers': 75,
    'server changeRequestHandlers': 70,
    'server composeNotification': 66,
    'server createBearerGuard': 62,
    'server createConnectionTable': 71,
    'server createEnvironmentSnapshot': 71,
    'server createEvaluationSets': 70,
    'server createEvaluator': 66,
    'server createExperimentCounts': 64,
    'server createFailureLog': 61,
    'server createFindExceededFlags': 70,
    'server createFlagCounter': 73,
    'server createPasskeys': 62,
    'server createRequestGate': 66,
    'server createResponder': 66,
    'server createResponseBudget': 73,
    'server createSeenUsers': 77,
    'server flagHandlers': 78,
    'server lifecycleHandlers': 71,
    'server loadConfig': 64,
    'server manifestHandlers': 64,
    'server mountEndpoint': 64,
    'server writeEnvironment': 69,
  }),
)

/** The comment of a factory whose functions share state. */
const EXEMPTION = 'biome-ignore lint/complexity/noExcessiveLinesPerFunction'

/**
 * Lists the functions of a source with the lines of each.
 * @param {string} text
 * @param {string} file
 * @returns {{ name: string, line: number, lines: number, isExempt: boolean }[]}
 */
export function listFunctions(text, file) {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind)
  /** @param {number} position */
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line
  const counted = linesOfCode(source, lineAt)
  /** @type {ReturnType<typeof listFunctions>} */
  const found = []
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const [from, to] = [lineAt(node.getStart(source)), lineAt(node.getEnd())]
      found.push({
        name: nameOf(node, source),
        line: from + 1,
        lines: counted.filter((line) => line >= from && line <= to).length,
        isExempt: leadOf(node, text, source).includes(EXEMPTION),
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/**
 * The lines with tokens, without those inside a text of SQL.
 * @param {ts.SourceFile} source
 * @param {(position: number) => number} lineAt
 * @returns {number[]}
 */
function linesOfCode(source, lineAt) {
  const code = new Set()
  const sql = new Set()
  const rows = source.text.split('\n')
  /** @param {ts.Node} node */
  const visit = (node) => {
    const [from, to] = [lineAt(node.getStart(source)), lineAt(node.getEnd())]
    if (ts.isTaggedTemplateExpression(node) && /^sql\b/.test(node.tag.getText(source)))
      for (let line = from + 1; line < to; line++) sql.add(line)
    const children = node.getChildren(source).filter((child) => !ts.isJSDoc(child))
    for (const child of children) visit(child)
    if (children.length > 0) return
    for (let line = from; line <= to; line++) if (rows[line]?.trim() !== '') code.add(line)
  }
  visit(source)
  return [...code].filter((line) => !sql.has(line))
}

/**
 * @param {ts.Node & { name?: ts.Node }} node
 * @param {ts.SourceFile} source
 */
function nameOf(node, source) {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined)
  return named?.getText(source) ?? 'a function without a name'
}

/**
 * The comments above the statement of a function.
 * @param {ts.Node} node
 * @param {string} text
 * @param {ts.SourceFile} source
 */
function leadOf(node, text, source) {
  let statement = node
  while (!ts.isStatement(statement) && statement.parent) statement = statement.parent
  return text.slice(statement.getFullStart(), node.getStart(source))
}

/** @param {string} folder @returns {string[]} */
function sourcesBelow(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return sourcesBelow(path)
    return /\.tsx?$/.test(entry.name) ? [path] : []
  })
}

function main() {
  /** @type {Map<string, number>} The lines of the longest function of a name, if they exceed the bound. */
  const longest = new Map()
  for (const name of readdirSync(join(ROOT, 'packages'))) {
    for (const file of sourcesBelow(`packages/${name}/src`)) {
      const usual = file.endsWith('x') ? JSX_LINES_MAX : LINES_MAX
      for (const each of listFunctions(readFileSync(join(ROOT, file), 'utf8'), file)) {
        if (each.isExempt || each.lines <= usual) continue
        const key = `${name} ${each.name}`
        const most = CEILINGS.get(key) ?? usual
        longest.set(key, Math.max(longest.get(key) ?? 0, each.lines))
        if (each.lines > most)
          complain(`${file}:${each.line}: ${each.name} has ${each.lines} lines. At most ${most} are allowed.`)
      }
    }
  }
  for (const [key, ceiling] of CEILINGS) {
    const lines = longest.get(key)
    if (lines === undefined) complain(`${key} is short enough: remove it from scripts/check-functions.mjs.`)
    else if (lines < ceiling)
      complain(`${key} has ${lines} lines: write ${lines} in scripts/check-functions.mjs, not ${ceiling}.`)
  }
}

/** @param {string} problem */
function complain(problem) {
  console.error(problem)
  process.exitCode = 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
