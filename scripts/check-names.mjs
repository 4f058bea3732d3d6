/**
 * Checks that code is camelCase. What a source declares is snake_case only where it is a property of the
 * contract's schemas or of the type of a table. A name that is used is one of these or a term of a query: it
 * then occurs in the OpenAPI document, a migration, a text in the code or the documentation. Keys of log
 * lines and of the metadata of audit entries are never camelCase, because programs of others read them. Part
 * of `npm run check`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { ROOT } from './prepare.mjs'

const SNAKE_CASE_NAME = /^[a-z0-9]+(?:_[a-z0-9]+)+$/
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
  // Settings of programs and services, and fields of their files.
  'api_key',
  'email_verified',
  'feature_state_value',
  'feature_states',
  'https_proxy',
  'identity_features',
  'max_connections',
  'no_proxy',
  'percentage_allocation',
  'variant_hash',
])

/**
 * Declared names that no schema and no table has: results of queries, and fields of events, of the audit log
 * and of addresses. Rename one, and remove it here. None is added.
 */
const RESULT_NAMES = new Set([
  'account_tokens_revoked',
  'added_bytes',
  'archived_by',
  'at_once',
  'before_first',
  'changed_at',
  'client_key',
  'closed_chains',
  'deleted_by',
  'empty_key',
  'epoch_ms',
  'experiment_key',
  'exposed_at',
  'first_ms',
  'given_up',
  'has_any',
  'has_cost',
  'has_credential',
  'has_key',
  'has_more',
  'has_receivers',
  'has_schema',
  'in_source',
  'in_target',
  'in_use',
  'is_attached',
  'is_behind',
  'is_closed',
  'is_empty',
  'is_flag',
  'is_key_known',
  'is_large',
  'is_listed',
  'is_lost',
  'is_member',
  'is_mine',
  'is_named',
  'is_new',
  'is_ours',
  'is_read',
  'is_read_write',
  'is_readable',
  'is_recorded',
  'is_service_account',
  'is_superuser',
  'is_there',
  'is_value_known',
  'is_visible',
  'job_id',
  'key_kind',
  'must_enroll',
  'named_before',
  'next_at',
  'next_audit_id',
  'next_revision',
  'overdue_at',
  'prerequisite_keys',
  'read_only',
  'request_id',
  'revoked_with',
  'scheduled_change_id',
  'scim_disabled_at',
  'sessions_ended',
  'source_environment',
  'sso_error',
  'to_id',
  'tokens_revoked',
  'too_many',
  'unknown_field',
  'unknown_segment',
  'users_of_values',
  'wait_ms',
  'waited_ms',
  'wire_growth',
])
/** The types of the API and of the tables, whose properties may be declared elsewhere. */
const TYPES = /^packages\/(?:contract\/src|server\/src\/platform\/db\/tables)\b/
const SERVER_SOURCES = /^packages\/server\/src\//
const LOG_LEVELS = new Set(['debug', 'error', 'fatal', 'info', 'warn'])

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
const fields = new Set(FOREIGN_NAMES)
/** @type {Map<string, string>} */
const used = new Map()
/** @type {Map<string, string>} */
const declared = new Map()
/** @type {string[]} */
const camelKeys = []

for (const file of filesBelow('')) {
  if (SOURCES.test(file) && !FOREIGN_FILES.includes(file)) readSource(file)
  else if (DOCUMENTS.test(file) && file !== 'package-lock.json')
    addWords(readFileSync(join(ROOT, file), 'utf8'))
}
const wrong = [...used].filter(([name]) => !known.has(name))
for (const [name, place] of wrong) {
  console.error(`${place}: ${name} is not a field, column or term of a query. Write it in camelCase.`)
}
for (const [, name] of readFileSync(join(ROOT, 'packages/contract/openapi.json'), 'utf8').matchAll(
  /"([a-z0-9_]+)":/g,
))
  fields.add(name)
const undeclarable = [...declared].filter(([name]) => !fields.has(name) && !RESULT_NAMES.has(name))
for (const [name, place] of undeclarable) {
  console.error(
    `${place}: ${name} is no property of the contract's schemas or of a table. Write it in camelCase.`,
  )
}
const superfluous = [...RESULT_NAMES].filter((name) => fields.has(name) || !declared.has(name))
for (const name of superfluous)
  console.error(`${name} is not declared any more: remove it from scripts/check-names.mjs.`)
for (const key of camelKeys)
  console.error(`${key} is a key of a log line or of an audit entry. Write it in snake_case.`)
const problems = [wrong, undeclarable, superfluous, camelKeys]
process.exitCode = problems.every(({ length }) => length === 0) ? 0 : 1

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
    if (TYPES.test(file) && isProperty(node)) fields.add(node.name.getText(source))
    if (isDeclaration(node) && SNAKE_CASE_NAME.test(node.name.text) && !declared.has(node.name.text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      declared.set(node.name.text, `${file}:${line + 1}`)
    }
    for (const key of SERVER_SOURCES.test(file) ? storedKeys(node) : []) {
      known.add(key.text)
      const { line } = source.getLineAndCharacterOfPosition(key.getStart(source))
      if (/[A-Z]/.test(key.text)) camelKeys.push(`${file}:${line + 1}: ${key.text}`)
    }
    if (ts.isIdentifier(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      if (SNAKE_CASE_NAME.test(node.text) && !used.has(node.text)) used.set(node.text, `${file}:${line + 1}`)
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

/**
 * The keys of the object of a log line, or of one that is named `metadata`.
 * @param {ts.Node} node
 * @returns {ts.Identifier[]}
 */
function storedKeys(node) {
  /** @type {ts.Node | undefined} */
  let value
  if (ts.isCallExpression(node)) {
    const isLogged =
      ts.isPropertyAccessExpression(node.expression) && LOG_LEVELS.has(node.expression.name.text)
    value = isLogged ? node.arguments[0] : undefined
  } else if (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) {
    const isMetadata = ts.isIdentifier(node.name) && node.name.text === 'metadata'
    value = isMetadata ? node.initializer : undefined
  }
  while (value && (ts.isAsExpression(value) || ts.isSatisfiesExpression(value))) value = value.expression
  if (!value || !ts.isObjectLiteralExpression(value)) return []
  return value.properties.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name] : []))
}

/** @param {ts.Node} node @returns {node is ts.PropertyAssignment} */
function isProperty(node) {
  return (
    ts.isPropertyAssignment(node) || ts.isPropertySignature(node) || ts.isShorthandPropertyAssignment(node)
  )
}

/**
 * Returns whether a node declares a variable, a parameter, a function, a method, a class or a property of
 * a type. Keys of objects are none: many are data.
 * @param {ts.Node} node
 * @returns {node is ts.VariableDeclaration & { name: ts.Identifier }}
 */
function isDeclaration(node) {
  const isDeclared =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isAccessor(node)
  return isDeclared && node.name !== undefined && ts.isIdentifier(node.name)
}
