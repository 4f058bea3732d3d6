import { getHeapStatistics } from 'node:v8'
import type { PasswordPolicy } from '@burgee/contract'
import type { ProxySettings } from '@burgee/egress'
import { isCommonPassword } from '../common-passwords.ts'
import { isMadeOfWords } from '../password-words.ts'
import { type MailConfig, mailOf, mailProblems } from './mail-config.ts'
import { outboundOf } from './outbound-config.ts'
import { type ReadTextFile, readSecretFiles } from './secret-files.ts'
import { SETTINGS, type Setting, type SettingName, type SettingValues } from './settings.ts'
import { type SingleSignOnConfig, singleSignOnOf, singleSignOnProblems } from './single-sign-on-config.ts'

export { SETTINGS } from './settings.ts'

/** The configuration: every setting, parsed and validated. */
export type Config = {
  /** The port; 0 for any free port. */
  port: number
  /** The address to listen on; null for every interface. */
  host: string | null
  database: { kind: 'embedded'; dataDir: string } | { kind: 'external'; url: string; ownerUrl: string | null }
  dataDir: string
  dbMaxConnections: number
  /** The address of Redis; null when LISTEN/NOTIFY carries the hints. */
  redisUrl: string | null
  /**
   * The secrets of sessions: the first encrypts, all decrypt. Null when one is generated beside the embedded
   * database.
   */
  sessionSecrets: string[] | null
  cookieSecure: boolean
  /** The SMTP server for links; null where none is sent. */
  mail: MailConfig | null
  /** The longest time of new tokens; null without a limit. */
  tokenMaxDays: number | null
  /** The minutes without a request after which a session ends; null for no such limit. */
  sessionIdleMinutes: number | null
  legacySdkKey: string | null
  /** The folder as it was set; `resolvePublicDir` finds it. */
  publicDir: string
  logLevel: SettingValues['LOG_LEVEL']
  logFormat: SettingValues['LOG_FORMAT']
  setup_token: string | null
  /** The unattended setup of a fresh database; null when the wizard does it. */
  setup: UnattendedSetup | null
  passwordRules: { readonly policy: PasswordPolicy; readonly words: readonly string[] }
  /** False when people sign in with the identity provider only. */
  hasPasswordLogin: boolean
  /** The identity provider for single sign-on; null when there is none. */
  singleSignOn: SingleSignOnConfig | null
  metrics_token: string | null
  /** The public address without a slash at its end. */
  publicUrl: string | null
  impressionRetentionDays: number
  seenUsersDays: number
  seenUsersMax: number
  /** The days that the audit log is kept; null for ever. */
  auditRetentionDays: number | null
  /** The days that the flags of past moments are kept; 0 for ever. */
  historyRetentionDays: number
  environmentQuotaBytes: number
  environmentWireBytes: number
  blockPrivateTargets: boolean
  /** Private hosts, addresses and networks that outgoing requests may reach in spite of the block. */
  outboundAllow: string[]
  /** The proxy of outgoing requests. */
  proxy: ProxySettings
  maxStaleAuthSeconds: number
  /** The requests per minute; null without a limit. */
  rateLimits: {
    ingestPerMinute: number | null
    requestsPerMinute: number | null
    unknownBearersPerMinute: number
  }
  /** The tools for agents: where they may write. Null while they are off. */
  mcp: { environments: readonly string[] } | null
  /** The reports with client keys per minute; null without a limit. */
  /** True when single evaluations with OFREP count as impressions. */
  ofrepImpressions: boolean
  clientReportsPerMinute: number | null
  /** Without effect; a start with another value than 0 warns. */
  clientSnapshotCacheSeconds: number
  trustProxy: boolean | number | string[]
  requestTimeoutSeconds: number
  connectionLimits: {
    /** The connections; null for a number from the limit of open files. */
    max_connections: number | null
    maxPerAddress: number
    maxStreamsPerKey: number
  }
  nodeEnv: string | null
}

export type UnattendedSetup = {
  adminEmail: string
  adminPassword: string
  adminName: string
  workspace_name: string
  project_name: string
  sdk_key: string | null
}

export type Environment = Record<string, string | undefined>

/** A setting with an invalid value. `value` is masked when it is a secret. */
export type ConfigProblem = { setting: string; value: string; allowed: string }

/** Thrown by `loadConfig` with all problems at once. */
export class ConfigError extends Error {
  readonly problems: ConfigProblem[]

  constructor(problems: ConfigProblem[]) {
    super(
      `${problems.length} setting(s) cannot be used: ${problems.map(({ setting }) => setting).join(', ')}`,
    )
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** The fixed secret of `NODE_ENV=development|test` with an external database, so that instances share one. */
export const INSECURE_DEVELOPMENT_SECRET = 'insecure-development-secret-never-use-in-production'

/**
 * The length below which a session secret is refused where `secretMustBeStrong` requires it
 * (docs/settings.md).
 */
export const SESSION_SECRET_MIN_CHARS = 32

const BYTES_PER_MB = 1024 * 1024

const OPTIONAL_SETUP_SETTINGS = [
  'SETUP_ADMIN_NAME',
  'SETUP_WORKSPACE_NAME',
  'SETUP_PROJECT_NAME',
  'SETUP_SDK_KEY',
] as const

/** Refuses to read files, for callers whose settings name none. */
const readNoFile: ReadTextFile = () => {
  throw new Error('no file can be read here')
}

/**
 * Parses every setting in `given`, and reads the secrets in `<NAME>_FILE` with `readFile`, its only side
 * effect. Throws `ConfigError` when any of them is invalid.
 */
export function loadConfig(given: Environment, readFile: ReadTextFile = readNoFile): Config {
  const problems: ConfigProblem[] = []
  const env = readSecretFiles(given, readFile, problems)
  const values = readSettings(env, problems)
  problems.push(
    ...ownerProblems(values),
    ...sessionSecretProblems(env, values, problems),
    ...setupProblems(env, problems),
    ...passwordProblems(values),
    ...singleSignOnProblems(values, problems),
    ...mailProblems(values, problems),
  )
  if (problems.length > 0) throw new ConfigError(problems)
  return {
    port: values.PORT,
    host: values.HOST,
    database: databaseOf(values),
    dataDir: values.DATA_DIR,
    dbMaxConnections: values.DB_MAX_CONNECTIONS,
    redisUrl: values.REDIS_URL,
    sessionSecrets: sessionSecretsOf(values),
    cookieSecure: values.COOKIE_SECURE,
    mail: mailOf(values),
    tokenMaxDays: values.TOKEN_MAX_DAYS,
    sessionIdleMinutes: values.SESSION_IDLE_MINUTES,
    legacySdkKey: values.SDK_KEY,
    publicDir: values.PUBLIC_DIR,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    setup_token: values.SETUP_TOKEN,
    setup: setupOf(values),
    passwordRules: { policy: values.PASSWORD_POLICY, words: values.PASSWORD_WORDS ?? [] },
    hasPasswordLogin: values.PASSWORD_LOGIN === 'on',
    singleSignOn: singleSignOnOf(values),
    metrics_token: values.METRICS_TOKEN,
    publicUrl: values.PUBLIC_URL,
    impressionRetentionDays: values.IMPRESSION_RETENTION_DAYS,
    seenUsersDays: values.SEEN_USERS_DAYS,
    seenUsersMax: values.SEEN_USERS_MAX,
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    historyRetentionDays: values.HISTORY_RETENTION_DAYS,
    environmentQuotaBytes: values.ENVIRONMENT_QUOTA_MB * BYTES_PER_MB,
    environmentWireBytes: (values.ENVIRONMENT_WIRE_MB ?? defaultWireMb()) * BYTES_PER_MB,
    ...outboundOf(values),
    maxStaleAuthSeconds: values.MAX_STALE_AUTH_SECONDS,
    rateLimits: {
      ingestPerMinute: values.RATE_LIMIT_INGEST,
      requestsPerMinute: values.RATE_LIMIT_REQUESTS,
      unknownBearersPerMinute: values.RATE_LIMIT_UNKNOWN_BEARERS,
    },
    mcp: values.MCP ? { environments: values.MCP_WRITE_ENVIRONMENTS ?? [] } : null,
    ofrepImpressions: values.OFREP_IMPRESSIONS === 'single',
    clientReportsPerMinute: values.CLIENT_REPORTS_PER_MINUTE || null,
    clientSnapshotCacheSeconds: values.CLIENT_SNAPSHOT_CACHE_SECONDS,
    trustProxy: values.TRUST_PROXY,
    requestTimeoutSeconds: values.REQUEST_TIMEOUT_SECONDS,
    connectionLimits: {
      max_connections: values.MAX_CONNECTIONS,
      maxPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
      maxStreamsPerKey: values.MAX_STREAMS_PER_KEY,
    },
    nodeEnv: values.NODE_ENV,
  }
}

/** Returns whether this is a production server: NODE_ENV states it, or it has an external database. */
export const isProduction = ({ database, nodeEnv }: Pick<Config, 'database' | 'nodeEnv'>): boolean =>
  nodeEnv === 'production' ||
  (database.kind === 'external' && nodeEnv !== 'development' && nodeEnv !== 'test')

/** Formats the problems as lines for a terminal: setting, value, allowed values. */
export function describeConfigError(error: ConfigError): string {
  const lines = error.problems.map(
    ({ setting, value, allowed }) => `  ${setting} is ${value}: it must be ${allowed.replaceAll('`', '')}`,
  )
  return ['These settings stop the server from starting:', ...lines].join('\n')
}

function readSettings(env: Environment, problems: ConfigProblem[]): SettingValues {
  const entries = Object.entries<Setting<unknown, unknown>>(SETTINGS).map(([name, setting]) => {
    const given = [name, ...(setting.aliases ?? [])].find((candidate) => textOf(env, candidate) !== null)
    if (given === undefined) return [name, setting.default]
    const text = textOf(env, given) ?? ''
    const value = setting.parse(text)
    if (value !== undefined) return [name, value]
    problems.push({ setting: given, value: shown(text, setting.secret === true), allowed: setting.allowed })
    return [name, setting.default]
  })
  // The types of the table describe the result of each parser; Object.entries loses them.
  return Object.fromEntries(entries) as SettingValues
}

/** Returns the text of a setting. Blank means unset, for every setting. */
function textOf(env: Environment, name: string): string | null {
  const text = env[name]?.trim()
  return text === undefined || text === '' ? null : text
}

function shown(text: string, secret: boolean): string {
  return secret ? `(hidden, ${text.length} characters)` : JSON.stringify(text)
}

function databaseOf(values: SettingValues): Config['database'] {
  return values.DATABASE_URL === null
    ? { kind: 'embedded', dataDir: values.DATA_DIR }
    : { kind: 'external', url: values.DATABASE_URL, ownerUrl: values.DATABASE_OWNER_URL }
}

/** The embedded database has its own owner, so none may be configured. */
function ownerProblems(values: SettingValues): ConfigProblem[] {
  if (values.DATABASE_OWNER_URL === null || values.DATABASE_URL !== null) return []
  const value = shown(values.DATABASE_OWNER_URL, true)
  return [{ setting: 'DATABASE_OWNER_URL', value, allowed: 'unset while `DATABASE_URL` is unset' }]
}

function sessionSecretsOf(values: SettingValues): string[] | null {
  if (values.SESSION_SECRET !== null) return values.SESSION_SECRET
  return values.DATABASE_URL === null ? null : [INSECURE_DEVELOPMENT_SECRET]
}

/** Refuses a weak secret in production and with an external database, but not in development and tests. */
function sessionSecretProblems(
  env: Environment,
  values: SettingValues,
  known: readonly ConfigProblem[],
): ConfigProblem[] {
  if (values.NODE_ENV === 'development' || values.NODE_ENV === 'test') return []
  if (known.some(({ setting }) => setting === 'SESSION_SECRET')) return []
  const strict = values.NODE_ENV === 'production' || textOf(env, 'DATABASE_URL') !== null
  if (!strict) return []
  const secrets = values.SESSION_SECRET
  const strong = secrets?.every((secret) => secret.length >= SESSION_SECRET_MIN_CHARS) === true
  if (strong && !secrets?.includes(INSECURE_DEVELOPMENT_SECRET)) return []
  const value = secrets === null ? 'unset' : shown(secrets.join(','), true)
  return [{ setting: 'SESSION_SECRET', value, allowed: SETTINGS.SESSION_SECRET.allowed }]
}

/** Requires the e-mail and the password of an unattended setup together; its other settings need both. */
function setupProblems(env: Environment, known: readonly ConfigProblem[]): ConfigProblem[] {
  const missing = (name: SettingName) =>
    textOf(env, name) === null && !known.some(({ setting }) => setting === name)
  const pair = ['SETUP_ADMIN_EMAIL', 'SETUP_ADMIN_PASSWORD'] as const
  const wanted = [...pair, ...OPTIONAL_SETUP_SETTINGS].filter((name) => textOf(env, name) !== null)
  if (wanted.length === 0) return []
  return pair.filter(missing).map((setting) => ({
    setting,
    value: 'unset',
    allowed: `${SETTINGS[setting].allowed}, since ${wanted.join(', ')} ${wanted.length === 1 ? 'is' : 'are'} set`,
  }))
}

function passwordProblems({
  PASSWORD_POLICY,
  PASSWORD_WORDS,
  SETUP_ADMIN_PASSWORD,
}: SettingValues): ConfigProblem[] {
  if (PASSWORD_POLICY !== 'strict' || SETUP_ADMIN_PASSWORD === null) return []
  const isGuessed =
    isCommonPassword(SETUP_ADMIN_PASSWORD) || isMadeOfWords(SETUP_ADMIN_PASSWORD, PASSWORD_WORDS ?? [])
  if (!isGuessed) return []
  const value = shown(SETUP_ADMIN_PASSWORD, true)
  return [{ setting: 'SETUP_ADMIN_PASSWORD', value, allowed: COMMON_PASSWORD_REFUSED }]
}
const COMMON_PASSWORD_REFUSED =
  'none of the most common passwords, and not made of PASSWORD_WORDS, since PASSWORD_POLICY is strict'

function setupOf(values: SettingValues): UnattendedSetup | null {
  if (values.SETUP_ADMIN_EMAIL === null || values.SETUP_ADMIN_PASSWORD === null) return null
  return {
    adminEmail: values.SETUP_ADMIN_EMAIL,
    adminPassword: values.SETUP_ADMIN_PASSWORD,
    adminName: values.SETUP_ADMIN_NAME,
    workspace_name: values.SETUP_WORKSPACE_NAME,
    project_name: values.SETUP_PROJECT_NAME,
    sdk_key: values.SETUP_SDK_KEY,
  }
}

const HEAP_SHARE = 10
const LEAST_WIRE_MB = 64
const MOST_WIRE_MB = 256

/**
 * The default of the flag size limit. The server keeps up to ten times as much in memory as the SDKs of an
 * environment receive.
 */
function defaultWireMb(): number {
  const share = getHeapStatistics().heap_size_limit / BYTES_PER_MB / HEAP_SHARE
  return Math.floor(Math.min(Math.max(share, LEAST_WIRE_MB), MOST_WIRE_MB))
}
