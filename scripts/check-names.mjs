/**
 * Checks that code is camelCase. A snake_case name is allowed only for a field of the API, a column or a term
 * of a query: it then occurs in the OpenAPI document, a migration, a text in the code or the documentation.
 * Part of `npm run check`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { ROOT } from './prepare.mjs'

const SNAKE_CASE = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g
/** Files with options of programs and packages, whose names are not ours. */
const FOREIGN_FILES = ['packages/embedded-postgres/src/postgres-settings.ts']
const FOREIGN_NAMES = new Set([
  'heap_size_limit',
  'used_heap_size',
  'idle_in_transaction_session_timeout',
  'kysely_migration_lock',
  'query_timeout',
  'remote_address',
  'shared_buffers',
  'statement_timeout',
  'unix_socket_directories',
  // Parameters, claims and metadata of OpenID Connect.
  'auth_time',
  'authorization_endpoint',
  'backchannel_logout_session_required',
  'backchannel_logout_uri',
  'client_id',
  'client_secret',
  'code_challenge',
  'code_challenge_method',
  'end_session_endpoint',
  'error_description',
  'family_name',
  'given_name',
  'id_token_hint',
  'id_token_signed_response_alg',
  'jwks_uri',
  'logout_token',
  'max_age',
  'post_logout_redirect_uri',
  'post_logout_redirect_uris',
  'preferred_username',
  'redirect_uri',
  'redirect_uris',
  'require_auth_time',
  'token_endpoint',
  'token_endpoint_auth_methods_supported',
  'userinfo_endpoint',
  'xms_edov',
  // Columns in the suites of OpenFeature.
  'data_type',
  'metadata_type',
  // A flag of the examples.
  'beta_testers',
])

/** Folders that git ignores, by name or by path. */
const MADE_FOLDERS = new Set([
  '.git',
  'data',
  'dist',
  'node_modules',
  'packages/server/public',
  'screenshots',
])
const DOCUMENTS = /\.(?:sql|md|json|css)$/
const SOURCES = /\.(?:tsx?|[mc]?[jt]s)$/

const known = new Set(FOREIGN_NAMES)
/** @type {Map<string, string>} */
const used = new Map()

for (const file of filesBelow('')) {
  if (SOURCES.test(file) && !FOREIGN_FILES.includes(file)) readSource(file)
  else if (DOCUMENTS.test(file) && file !== 'package-lock.json')
    addWords(readFileSync(join(ROOT, file), 'utf8'))
}
const wrong = [...used].filter(([name]) => !known.has(name))
for (const [name, place] of wrong) {
  console.error(`${place}: ${name} is not a field, column or term of a query. Write it in camelCase.`)
}
process.exitCode = wrong.length === 0 ? 0 : 1

/**
 * The paths of the project's own files, relative to its root.
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isFile()) return [path]
    return entry.isDirectory() && !MADE_FOLDERS.has(entry.name) && !MADE_FOLDERS.has(path)
      ? filesBelow(path)
      : []
  })
}

/** @param {string} text */
function addWords(text) {
  for (const [word] of text.matchAll(SNAKE_CASE)) known.add(word)
}

/** @param {string} file */
function readSource(file) {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest)
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isIdentifier(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      if (/^[a-z0-9]+(?:_[a-z0-9]+)+$/.test(node.text) && !used.has(node.text))
        used.set(node.text, `${file}:${line + 1}`)
    } else if (
      ts.isLiteralExpression(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isTemplateHead(node)
    ) {
      addWords(node.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
}
