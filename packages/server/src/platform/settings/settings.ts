// biome-ignore-all lint/style/noExcessiveLinesPerFile: a table
import { PASSWORD_POLICIES } from '@burgee/contract'
import { isProxyUrl } from '@burgee/egress'
import {
  parseBoolean,
  parseCommaList,
  parseDatabaseUrl,
  parseEmail,
  parseHost,
  parseIntegerBetween,
  parseIssuer,
  parsePassword,
  parsePasswordWords,
  parsePublicUrl,
  parseRedisUrl,
  parseScopes,
  parseSdkKey,
  parseSmtpUrl,
  parseTargetList,
  parseText,
  parseTextUpTo,
  parseToken,
  parseTrustProxy,
  parseWord,
  type SettingParser,
} from './setting-parsers.ts'

/** An environment variable that the server reads. */
export type Setting<T, Default> = {
  /** Other names that are read when the main one is unset. */
  aliases?: readonly string[]
  /** The value when the variable is missing or blank; null means unset. */
  default: Default
  /** The default on the settings page, when `default` itself is not clear. */
  defaultText?: string
  meaning: string
  /** Completes the sentence "it must be ...". */
  allowed: string
  /** True for a secret, whose value no message shows. */
  secret?: true
  parse: SettingParser<T>
}

function setting<T, Default extends T | null>(definition: Setting<T, Default>): Setting<T, Default> {
  return definition
}

const MAX_LABEL_CHARS = 60
const MAX_PORT = 65_535
const MAX_POOL_SIZE = 500
const MAX_SEEN_USERS_DAYS = 90
const MIN_SEEN_USERS = 100
const MAX_SEEN_USERS = 100_000
const MAX_RETENTION_DAYS = 36_500
/** The days for which the database keeps every month. */
const MIN_AUDIT_RETENTION_DAYS = 31
const MAX_QUOTA_MB = 100_000_000
/** The maximum, from the longest length of a buffer. */
const MAX_WIRE_MB = 2_000
const MAX_SESSION_IDLE_MINUTES = 10_080
const DAY_SECONDS = 86_400
const MAX_RATE_PER_MINUTE = 10_000_000
const MAX_CONNECTION_COUNT = 1_000_000
const HOUR_SECONDS = 3_600
const DEFAULT_CLIENT_REPORTS_PER_MINUTE = 300_000
const BOOLEAN_ALLOWED = '`true` or `false`'

/**
 * Every setting of the server, in the order of the settings page. Nothing else is read from the environment.
 */
export const SETTINGS = {
  PORT: setting({
    default: 3_000,
    meaning: 'Port that the server listens on; 0 takes any free port and prints it.',
    allowed: `a whole number from 0 to ${MAX_PORT}`,
    parse: parseIntegerBetween(0, MAX_PORT),
  }),
  HOST: setting<string, null>({
    default: null,
    defaultText: 'unset: every interface, IPv4 and IPv6',
    meaning: 'Address that the server listens on; `localhost` accepts only this machine.',
    allowed: 'an IP address or a host name, without port',
    parse: parseHost,
  }),
  DATABASE_URL: setting<string, null>({
    default: null,
    defaultText: 'unset: the embedded PostgreSQL in `DATA_DIR`',
    meaning: 'The PostgreSQL database (15 or newer) with all data.',
    allowed: 'a URL that begins with `postgres://` or `postgresql://`',
    secret: true,
    parse: parseDatabaseUrl,
  }),
  DATABASE_OWNER_URL: setting<string, null>({
    default: null,
    defaultText: 'unset: the role of `DATABASE_URL` owns the tables',
    meaning:
      'The same database as another role, which owns the tables: it migrates them and creates and drops partitions. The role of `DATABASE_URL` is then granted what requests need, and cannot change the audit log.',
    allowed: 'a URL that begins with `postgres://` or `postgresql://`, beside `DATABASE_URL`',
    secret: true,
    parse: parseDatabaseUrl,
  }),
  DATA_DIR: setting({
    default: './data',
    meaning: 'Folder of the embedded database and of the generated session secret.',
    allowed: 'the path of a folder',
    parse: parseText,
  }),
  DB_MAX_CONNECTIONS: setting({
    default: 10,
    meaning: 'Size of the pool of database connections.',
    allowed: `a whole number from 1 to ${MAX_POOL_SIZE}`,
    parse: parseIntegerBetween(1, MAX_POOL_SIZE),
  }),
  REDIS_URL: setting<string, null>({
    default: null,
    defaultText: 'unset: PostgreSQL LISTEN/NOTIFY',
    meaning:
      'Redis that carries change hints between instances. It may be down: a poll of the database replaces it.',
    allowed: 'a URL that begins with `redis://` or `rediss://`',
    secret: true,
    parse: parseRedisUrl,
  }),
  SESSION_SECRET: setting<string[], null>({
    default: null,
    defaultText: 'embedded database: generated once, kept in `DATA_DIR`',
    meaning:
      'Secret that encrypts session cookies and wraps the key of stored secrets. A comma list rotates it: the first seals, all open. A regular one, such as a repeated letter, logs a warning.',
    allowed: 'a random text of at least 32 characters, or a comma list of such texts',
    secret: true,
    parse: parseCommaList,
  }),
  COOKIE_SECURE: setting({
    default: true,
    meaning: 'The Secure flag of the session cookie; `false` only for plain http on your own machine.',
    allowed: BOOLEAN_ALLOWED,
    parse: parseBoolean,
  }),
  SMTP_URL: setting<string, null>({
    default: null,
    defaultText: 'unset: links are shown to admins',
    meaning:
      'The SMTP server that sends invitations and links for new passwords. It needs `SMTP_FROM` and `PUBLIC_URL`.',
    allowed: 'a URL that begins with `smtp://` or `smtps://`',
    secret: true,
    parse: parseSmtpUrl,
  }),
  SMTP_FROM: setting<string, null>({
    default: null,
    meaning: 'The sender of e-mails.',
    allowed: 'an e-mail address, beside `SMTP_URL`',
    parse: parseEmail,
  }),
  TOKEN_MAX_DAYS: setting<number, null>({
    default: null,
    defaultText: 'unset: tokens may last for ever',
    meaning:
      'Days after which a new personal access token ends at the latest. Earlier tokens keep their time.',
    allowed: 'a whole number from 1 to 365',
    parse: parseIntegerBetween(1, 365),
  }),
  SESSION_IDLE_MINUTES: setting<number, null>({
    default: null,
    defaultText: 'unset: no limit',
    meaning: 'Minutes without a request after which a session ends. It ends after 7 days in any case.',
    allowed: `a whole number from 5 to ${MAX_SESSION_IDLE_MINUTES}`,
    parse: parseIntegerBetween(5, MAX_SESSION_IDLE_MINUTES),
  }),
  SDK_KEY: setting<string, null>({
    default: null,
    meaning:
      'Legacy: one more SDK key that is accepted; it belongs to the default environment of the oldest project.',
    allowed: 'printable ASCII without spaces',
    secret: true,
    parse: parseToken,
  }),
  PUBLIC_DIR: setting({
    default: 'public',
    meaning:
      "Folder of the dashboard's files; when the default is missing, the one that ships with the server.",
    allowed: 'the path of a folder',
    parse: parseText,
  }),
  PUBLIC_URL: setting<string, null>({
    default: null,
    meaning:
      'Address under which people reach the server, for the links that it prints and sends. With a path, dashboard, API and SDKs are below it ([below a path](hardening.md#below-a-path)). [Single sign-on](sso.md) returns there, and [passkeys](reference/access.md#passkeys) belong to its host.',
    allowed:
      'an http or https URL without query, whose path does not begin like one of the server, such as `/api` or `/flags`',
    parse: parsePublicUrl,
  }),
  LOG_LEVEL: setting({
    aliases: ['RUST_LOG'],
    default: 'info' as const,
    meaning: 'Least severe log lines that are written.',
    allowed: 'one of `error`, `warn`, `info`, `debug`, `trace`',
    parse: parseWord(['error', 'warn', 'info', 'debug', 'trace']),
  }),
  LOG_FORMAT: setting({
    default: 'auto' as const,
    meaning:
      'How log lines are written. `auto` is text on a terminal and JSON everywhere else, beside the lines with the address and the setup link. With `json` those are JSON as well.',
    allowed: 'one of `auto`, `json`, `text`',
    parse: parseWord(['auto', 'json', 'text']),
  }),
  TRUST_PROXY: setting<boolean | number | string[], false>({
    default: false,
    meaning:
      'Which proxies are trusted to name the client in `X-Forwarded-For`. `true` is one proxy: the right-most address counts, because a client can forge everything left of it. With several proxies set their exact number, or list their addresses. Ranges that hold half of all public addresses log a warning.',
    allowed: '`true`, `false`, a number of proxy hops, or a comma list of addresses and ranges, without `/0`',
    parse: parseTrustProxy,
  }),
  SETUP_TOKEN: setting<string, null>({
    default: null,
    defaultText: 'unset: a random one, printed at the first start',
    meaning: 'One-time token that opens the setup wizard of a fresh installation.',
    allowed: 'printable ASCII without spaces',
    secret: true,
    parse: parseToken,
  }),
  SETUP_ADMIN_EMAIL: setting<string, null>({
    default: null,
    meaning: 'With `SETUP_ADMIN_PASSWORD`: completes setup of a fresh database at start, without the wizard.',
    allowed: 'an e-mail address',
    parse: parseEmail,
  }),
  SETUP_ADMIN_PASSWORD: setting<string, null>({
    default: null,
    meaning: 'Password of the account that `SETUP_ADMIN_EMAIL` names.',
    allowed: 'at least 8 characters and at most 1,024 bytes',
    secret: true,
    parse: parsePassword,
  }),
  SETUP_ADMIN_NAME: setting({
    default: 'Admin',
    meaning: 'Name of the account that `SETUP_ADMIN_EMAIL` names.',
    allowed: 'any text',
    parse: parseText,
  }),
  SETUP_WORKSPACE_NAME: setting({
    default: 'Workspace',
    meaning: 'Name of the workspace that an unattended setup creates.',
    allowed: 'any text',
    parse: parseText,
  }),
  SETUP_PROJECT_NAME: setting({
    default: 'Default project',
    meaning: 'Name of the first project that an unattended setup creates.',
    allowed: 'any text',
    parse: parseText,
  }),
  SETUP_SDK_KEY: setting<string, null>({
    default: null,
    defaultText: 'unset: generated',
    meaning: "The Production SDK key of an unattended setup's project.",
    allowed: '`sk_live_` followed by letters, digits, underscores and hyphens, at most 512 characters',
    secret: true,
    parse: parseSdkKey,
  }),
  PASSWORD_POLICY: setting({
    default: 'standard' as const,
    meaning:
      'The policy for new passwords that are among the most common ones: `standard` returns a warning, `strict` refuses it. The dashboard always refuses it.',
    allowed: 'one of `standard`, `strict`',
    parse: parseWord(PASSWORD_POLICIES),
  }),
  PASSWORD_WORDS: setting<string[], null>({
    default: null,
    meaning:
      'Words of the organization, such as its name and those of its products. A new password that is little more than these words, or than `burgee`, is treated like a common one by `PASSWORD_POLICY`.',
    allowed: 'a comma list of words of 4 to 50 characters, at most 100',
    parse: parsePasswordWords,
  }),
  PASSWORD_LOGIN: setting({
    default: 'on' as const,
    meaning:
      'With `off` people sign in with the identity provider only ([single sign-on](sso.md)). `npm run admin -- allow-password <e-mail>` lets one account use its password for an hour.',
    allowed: '`on`, or `off` beside `OIDC_ISSUER`',
    parse: parseWord(['on', 'off']),
  }),
  OIDC_ISSUER: setting<string, null>({
    default: null,
    meaning:
      'The identity provider for [single sign-on](sso.md): its issuer, below which `/.well-known/openid-configuration` is. It needs `OIDC_CLIENT_ID`, `OIDC_CLIENT_SECRET` and `PUBLIC_URL`.',
    allowed: 'an https URL without query, or an http URL of this machine',
    parse: parseIssuer,
  }),
  OIDC_CLIENT_ID: setting<string, null>({
    default: null,
    meaning: 'The client id of this server at the identity provider.',
    allowed: 'printable ASCII without spaces, beside `OIDC_ISSUER`',
    parse: parseToken,
  }),
  OIDC_CLIENT_SECRET: setting<string, null>({
    default: null,
    meaning: 'The client secret of this server at the identity provider.',
    allowed: 'printable ASCII without spaces, beside `OIDC_ISSUER`',
    secret: true,
    parse: parseToken,
  }),
  OIDC_SCOPES: setting({
    default: 'openid email profile',
    meaning: 'The scopes that are requested of the identity provider.',
    allowed: 'scopes with spaces between them, `openid` among them',
    parse: parseScopes,
  }),
  OIDC_GROUPS_CLAIM: setting({
    default: 'groups',
    meaning: "The claim of the identity provider that has the names of a person's groups.",
    allowed: 'printable ASCII without spaces',
    parse: parseToken,
  }),
  OIDC_LABEL: setting({
    default: 'single sign-on',
    meaning: 'The name of the identity provider on the login page: "Sign in with ...".',
    allowed: `a text of at most ${MAX_LABEL_CHARS} characters`,
    parse: parseTextUpTo(MAX_LABEL_CHARS),
  }),
  METRICS_TOKEN: setting<string, null>({
    default: null,
    meaning: 'Bearer token of `GET /metrics`, which is 404 while this is unset.',
    allowed: 'printable ASCII without spaces',
    secret: true,
    parse: parseToken,
  }),
  IMPRESSION_RETENTION_DAYS: setting({
    default: 90,
    meaning: 'Days for which single impressions and goal events are kept; the counts made from them stay.',
    allowed: `a whole number from 1 to ${MAX_RETENTION_DAYS}`,
    parse: parseIntegerBetween(1, MAX_RETENTION_DAYS),
  }),
  SEEN_USERS_DAYS: setting({
    default: 7,
    meaning: 'Days for which recently seen users are kept, by which the effect of a change is counted.',
    allowed: `a whole number from 1 to ${MAX_SEEN_USERS_DAYS}`,
    parse: parseIntegerBetween(1, MAX_SEEN_USERS_DAYS),
  }),
  SEEN_USERS_MAX: setting({
    default: 10_000,
    meaning:
      'Recently seen users that are kept of one environment and day: a random sample where there are more.',
    allowed: `a whole number from 100 to ${MAX_SEEN_USERS}`,
    parse: parseIntegerBetween(MIN_SEEN_USERS, MAX_SEEN_USERS),
  }),
  AUDIT_RETENTION_DAYS: setting<number, null>({
    default: null,
    defaultText: 'unset: for ever',
    meaning:
      'Days for which the audit log and the history of flags are kept at least. Whole months are dropped once they are older.',
    allowed: `a whole number from ${MIN_AUDIT_RETENTION_DAYS} to ${MAX_RETENTION_DAYS}`,
    parse: parseIntegerBetween(MIN_AUDIT_RETENTION_DAYS, MAX_RETENTION_DAYS),
  }),
  HISTORY_RETENTION_DAYS: setting({
    default: 400,
    meaning:
      'Days for which the flags of past moments can be evaluated. The state of every flag at the horizon stays. 0 keeps them for ever.',
    allowed: `a whole number from 0 to ${MAX_RETENTION_DAYS}`,
    parse: parseIntegerBetween(0, MAX_RETENTION_DAYS),
  }),
  ENVIRONMENT_QUOTA_MB: setting({
    default: 10_240,
    meaning:
      'Megabytes that flags, segments, change requests, schedules, history and audit of one environment may take. Beyond it writes are refused, except disabling, archiving and deleting.',
    allowed: `a whole number from 1 to ${MAX_QUOTA_MB}`,
    parse: parseIntegerBetween(1, MAX_QUOTA_MB),
  }),
  ENVIRONMENT_WIRE_MB: setting<number, null>({
    default: null,
    defaultText: 'a tenth of the heap, 64 to 256',
    meaning:
      'Megabytes of flags, with their segments expanded, that SDKs of one environment may receive. Beyond it writes that add to it are refused, except disabling. The server keeps up to ten times as much in memory for each environment that is read.',
    allowed: `a whole number from 1 to ${MAX_WIRE_MB}`,
    parse: parseIntegerBetween(1, MAX_WIRE_MB),
  }),
  BLOCK_PRIVATE_TARGETS: setting({
    default: false,
    meaning:
      'Refuses webhooks and chat alerts to private and loopback addresses. Link-local and metadata addresses are always refused.',
    allowed: BOOLEAN_ALLOWED,
    parse: parseBoolean,
  }),
  OUTBOUND_ALLOW: setting<string[], null>({
    default: null,
    meaning:
      'With `BLOCK_PRIVATE_TARGETS`: private hosts and networks that webhooks and chat alerts may reach nevertheless, such as `hooks.internal,10.20.0.0/16`. A name that is listed may resolve to any private address.',
    allowed: 'a comma list of host names, addresses and networks',
    parse: parseTargetList,
  }),
  HTTPS_PROXY: setting<string, null>({
    aliases: ['https_proxy'],
    default: null,
    meaning:
      'The proxy for https receivers of webhooks and chat alerts, and for the identity provider ([outbound requests](hardening.md#through-a-proxy)). Requests to http addresses and to this machine are direct. A password in it is a secret.',
    allowed:
      'an http or https URL without a path, such as `http://proxy.internal:3128`, or a host and a port',
    secret: true,
    parse: (text) => (isProxyUrl(text) ? text : undefined),
  }),
  NO_PROXY: setting<string, null>({
    aliases: ['no_proxy'],
    default: null,
    meaning:
      'Hosts that are reached without `HTTPS_PROXY`, such as `internal.example.com,.svc,10.1.2.3`. A name also stands for the hosts below it, and `*` for every host.',
    allowed: 'a comma list of host names and addresses',
    parse: parseText,
  }),
  MAX_STALE_AUTH_SECONDS: setting({
    default: 600,
    meaning: 'Seconds for which known credentials can read while the database is unavailable.',
    allowed: `a whole number from 0 to ${DAY_SECONDS}`,
    parse: parseIntegerBetween(0, DAY_SECONDS),
  }),
  RATE_LIMIT_INGEST: setting<number, null>({
    default: null,
    defaultText: 'unset: no limit',
    meaning: 'Ingest requests a minute for each SDK key.',
    allowed: `a whole number from 1 to ${MAX_RATE_PER_MINUTE}`,
    parse: parseIntegerBetween(1, MAX_RATE_PER_MINUTE),
  }),
  MCP: setting({
    default: false,
    meaning:
      'Whether coding agents with personal access tokens may use the tools of `POST /mcp` (docs/mcp.md).',
    allowed: BOOLEAN_ALLOWED,
    parse: parseBoolean,
  }),
  MCP_WRITE_ENVIRONMENTS: setting<string[], null>({
    default: null,
    defaultText: 'unset: the tools only read',
    meaning:
      'The environments that the tools of `POST /mcp` may change, as `project/environment` by slug, or `environment` for those of every project. A caller also needs the right to.',
    allowed: 'a comma list of slugs',
    parse: parseCommaList,
  }),
  OFREP_IMPRESSIONS: setting({
    default: 'single' as const,
    meaning:
      'Evaluations with OFREP that count as impressions: those of a single flag, or none. Evaluations of all flags never do.',
    allowed: '`single` or `off`',
    parse: parseWord(['single', 'off']),
  }),
  CLIENT_REPORTS_PER_MINUTE: setting({
    default: DEFAULT_CLIENT_REPORTS_PER_MINUTE,
    meaning:
      'Impressions and goal events a minute that one instance takes from each client key, which is public in a browser; 0: no limit.',
    allowed: `a whole number from 0 to ${MAX_RATE_PER_MINUTE}`,
    parse: parseIntegerBetween(0, MAX_RATE_PER_MINUTE),
  }),
  CLIENT_SNAPSHOT_CACHE_SECONDS: setting({
    default: 0,
    meaning:
      'Without effect, and a start with it logs a warning: no shared cache may keep `GET /flags/snapshot`, because caches that ignore `Vary` give the flags of one key to another.',
    allowed: `a whole number from 0 to ${HOUR_SECONDS}`,
    parse: parseIntegerBetween(0, HOUR_SECONDS),
  }),
  RATE_LIMIT_REQUESTS: setting<number, null>({
    default: null,
    defaultText: 'unset: no limit',
    meaning: 'Other requests a minute for each principal.',
    allowed: `a whole number from 1 to ${MAX_RATE_PER_MINUTE}`,
    parse: parseIntegerBetween(1, MAX_RATE_PER_MINUTE),
  }),
  RATE_LIMIT_UNKNOWN_BEARERS: setting({
    default: 600,
    meaning:
      'Unknown keys and tokens a minute that one address (IPv6: its /64) may try; beyond it 429. A credential that was valid before is never refused.',
    allowed: `a whole number from 1 to ${MAX_RATE_PER_MINUTE}`,
    parse: parseIntegerBetween(1, MAX_RATE_PER_MINUTE),
  }),
  REQUEST_TIMEOUT_SECONDS: setting({
    default: 30,
    meaning:
      'The time in which a request must arrive completely; otherwise the response is 408. Raise it for large imports over slow lines.',
    allowed: `a whole number from 1 to ${HOUR_SECONDS}`,
    parse: parseIntegerBetween(1, HOUR_SECONDS),
  }),
  MAX_CONNECTIONS: setting<number, null>({
    default: null,
    defaultText: 'unset: what the limit of open files allows, at most 100,000',
    meaning:
      'Connections that the process keeps open. Beyond them only health, readiness and metrics are served; the longest idle connection is closed first.',
    allowed: `a whole number from 10 to ${MAX_CONNECTION_COUNT}`,
    parse: parseIntegerBetween(10, MAX_CONNECTION_COUNT),
  }),
  MAX_CONNECTIONS_PER_ADDRESS: setting({
    default: 25_000,
    meaning:
      'Connections of one address (IPv6: its /64). With `TRUST_PROXY`: open requests and streams of one forwarded address.',
    allowed: `a whole number from 1 to ${MAX_CONNECTION_COUNT}`,
    parse: parseIntegerBetween(1, MAX_CONNECTION_COUNT),
  }),
  MAX_STREAMS_PER_KEY: setting({
    default: 25_000,
    meaning: 'Streams that one SDK key may have open on an instance.',
    allowed: `a whole number from 1 to ${MAX_CONNECTION_COUNT}`,
    parse: parseIntegerBetween(1, MAX_CONNECTION_COUNT),
  }),
  NODE_ENV: setting<string, null>({
    default: null,
    meaning: '`production` requires a strong `SESSION_SECRET`; `development` and `test` do not.',
    allowed: 'any text',
    parse: parseText,
  }),
} as const

export type SettingName = keyof typeof SETTINGS

/** The parsed value of every setting, with defaults. */
export type SettingValues = {
  [Name in SettingName]:
    | NonNullable<ReturnType<(typeof SETTINGS)[Name]['parse']>>
    | (typeof SETTINGS)[Name]['default']
}
