import { describe, expect, it } from 'vitest'
import {
  ConfigError,
  describeConfigError,
  type Environment,
  loadConfig,
  SETTINGS,
} from '../../../../src/platform/settings/config.ts'
import type { Setting } from '../../../../src/platform/settings/settings.ts'
import { renderSettingsPage } from '../../../harness/render-settings-page.ts'

const LONG_SECRET = 'a-secret-of-more-than-thirty-two-characters'
const DATABASE_URL = 'postgres://app:hunter2@db.example.org:5432/burgee'

const MIB = 1024 * 1024

function problemsOf(env: Environment) {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems
  }
}

describe('an environment with no settings', () => {
  it('without settings the documented defaults apply', () => {
    expect(loadConfig({})).toEqual({
      port: 3000,
      host: null,
      database: { kind: 'embedded', dataDir: './data' },
      dataDir: './data',
      auditRetentionDays: null,
      historyRetentionDays: 400,
      passwordRules: { policy: 'standard', words: [] },
      hasPasswordLogin: true,
      singleSignOn: null,
      dbMaxConnections: 10,
      environmentQuotaBytes: 10_240 * 1024 * 1024,
      environmentWireBytes: expect.toSatisfy((bytes: number) => bytes >= 64 * MIB && bytes <= 256 * MIB),
      redisUrl: null,
      sessionSecrets: null,
      cookieSecure: true,
      mail: null,
      tokenMaxDays: null,
      sessionIdleMinutes: null,
      legacySdkKey: null,
      publicDir: 'public',
      logLevel: 'info',
      logFormat: 'auto',
      setup_token: null,
      setup: null,
      metrics_token: null,
      publicUrl: null,
      impressionRetentionDays: 90,
      seenUsersDays: 7,
      seenUsersMax: 10_000,
      blockPrivateTargets: false,
      outboundAllow: [],
      proxy: {},
      maxStaleAuthSeconds: 600,
      rateLimits: { ingestPerMinute: null, requestsPerMinute: null, unknownBearersPerMinute: 600 },
      clientReportsPerMinute: 300_000,
      clientSnapshotCacheSeconds: 0,
      mcp: null,
      ofrepImpressions: true,
      trustProxy: false,
      requestTimeoutSeconds: 30,
      connectionLimits: { max_connections: null, maxPerAddress: 25_000, maxStreamsPerKey: 25_000 },
      nodeEnv: null,
    })
  })

  it('blank settings mean the defaults', () => {
    const blank = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '  \t']))
    expect(loadConfig({ ...blank, RUST_LOG: '' })).toEqual(loadConfig({}))
  })
})

describe('a setting', () => {
  it.each<[Environment, Partial<ReturnType<typeof loadConfig>>]>([
    [{ PORT: '8080' }, { port: 8080 }],
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: ' 65535 ' }, { port: 65535 }],
    [
      { DATA_DIR: '/var/lib/burgee' },
      { dataDir: '/var/lib/burgee', database: { kind: 'embedded', dataDir: '/var/lib/burgee' } },
    ],
    [
      { DATABASE_URL, SESSION_SECRET: LONG_SECRET },
      { database: { kind: 'external', url: DATABASE_URL, ownerUrl: null }, dataDir: './data' },
    ],
    [
      { DATABASE_URL: 'postgresql://me@/flags?host=/run/pg', SESSION_SECRET: LONG_SECRET },
      { database: { kind: 'external', url: 'postgresql://me@/flags?host=/run/pg', ownerUrl: null } },
    ],
    [
      { DATABASE_URL, DATABASE_OWNER_URL: 'postgres://owner@db/burgee', SESSION_SECRET: LONG_SECRET },
      { database: { kind: 'external', url: DATABASE_URL, ownerUrl: 'postgres://owner@db/burgee' } },
    ],
    [{ REQUEST_TIMEOUT_SECONDS: '300' }, { requestTimeoutSeconds: 300 }],
    [{ HOST: 'localhost' }, { host: 'localhost' }],
    [{ HOST: '::1' }, { host: '::1' }],
    [{ HOST: 'flags.internal' }, { host: 'flags.internal' }],
    [
      { MAX_CONNECTIONS: '500', MAX_CONNECTIONS_PER_ADDRESS: '10', MAX_STREAMS_PER_KEY: '5' },
      { connectionLimits: { max_connections: 500, maxPerAddress: 10, maxStreamsPerKey: 5 } },
    ],
    [{ CLIENT_SNAPSHOT_CACHE_SECONDS: '60' }, { clientSnapshotCacheSeconds: 60 }],
    [{ DB_MAX_CONNECTIONS: '1' }, { dbMaxConnections: 1 }],
    [{ REDIS_URL: 'redis://127.0.0.1:6379' }, { redisUrl: 'redis://127.0.0.1:6379' }],
    [{ REDIS_URL: 'rediss://:secret@cache.example.org' }, { redisUrl: 'rediss://:secret@cache.example.org' }],
    [{ SESSION_SECRET: 'short' }, { sessionSecrets: ['short'] }],
    [{ SESSION_SECRET: `${LONG_SECRET}, older ,,` }, { sessionSecrets: [LONG_SECRET, 'older'] }],
    [{ COOKIE_SECURE: 'false' }, { cookieSecure: false }],
    [{ COOKIE_SECURE: 'TRUE' }, { cookieSecure: true }],
    [{ COOKIE_SECURE: '0' }, { cookieSecure: false }],
    [{ SDK_KEY: 'any-legacy-key' }, { legacySdkKey: 'any-legacy-key' }],
    [{ SDK_KEY: '   ' }, { legacySdkKey: null }],
    [{ PUBLIC_DIR: 'site' }, { publicDir: 'site' }],
    [{ PUBLIC_URL: 'https://flags.example.org/' }, { publicUrl: 'https://flags.example.org' }],
    [{ PUBLIC_URL: 'http://host/burgee/' }, { publicUrl: 'http://host/burgee' }],
    [{ LOG_LEVEL: 'debug' }, { logLevel: 'debug' }],
    [{ RUST_LOG: 'WARN' }, { logLevel: 'warn' }],
    [{ RUST_LOG: 'error' }, { logLevel: 'error' }],
    [{ RUST_LOG: 'trace' }, { logLevel: 'trace' }],
    [{ LOG_LEVEL: 'info', RUST_LOG: 'debug' }, { logLevel: 'info' }],
    [{ LOG_LEVEL: ' ', RUST_LOG: 'debug' }, { logLevel: 'debug' }],
    [{ SETUP_TOKEN: 'open-sesame' }, { setup_token: 'open-sesame' }],
    [{ METRICS_TOKEN: 'scrape' }, { metrics_token: 'scrape' }],
    [{ IMPRESSION_RETENTION_DAYS: '7' }, { impressionRetentionDays: 7 }],
    [{ BLOCK_PRIVATE_TARGETS: 'true' }, { blockPrivateTargets: true }],
    [
      { OUTBOUND_ALLOW: 'Hooks.Internal, 10.20.0.0/16,fd00::1' },
      { outboundAllow: ['hooks.internal', '10.20.0.0/16', 'fd00::1'] },
    ],
    [{ MAX_STALE_AUTH_SECONDS: '0' }, { maxStaleAuthSeconds: 0 }],
    [
      { RATE_LIMIT_INGEST: '600', RATE_LIMIT_REQUESTS: '60', RATE_LIMIT_UNKNOWN_BEARERS: '5' },
      { rateLimits: { ingestPerMinute: 600, requestsPerMinute: 60, unknownBearersPerMinute: 5 } },
    ],
    [{ TRUST_PROXY: 'true' }, { trustProxy: true }],
    [{ TRUST_PROXY: '1' }, { trustProxy: 1 }],
    [{ TRUST_PROXY: '10.0.0.0/8, ::1' }, { trustProxy: ['10.0.0.0/8', '::1'] }],
    [{ NODE_ENV: 'test' }, { nodeEnv: 'test' }],
  ])('%j is read', (env, expected) => {
    expect(loadConfig(env)).toMatchObject(expected)
  })

  it.each<[string, string]>([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '3e3'],
    ['PORT', '0x10'],
    ['PORT', '80.5'],
    ['HOST', 'localhost:3000'],
    ['HOST', '1.2.3'],
    ['HOST', 'http://localhost'],
    ['MAX_CONNECTIONS', '9'],
    ['REQUEST_TIMEOUT_SECONDS', '0'],
    ['MAX_CONNECTIONS_PER_ADDRESS', '0'],
    ['MAX_STREAMS_PER_KEY', 'many'],
    ['CLIENT_SNAPSHOT_CACHE_SECONDS', '3601'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_OWNER_URL', 'postgres://owner@db/without-a-database-url'],
    ['DB_MAX_CONNECTIONS', '0'],
    ['DB_MAX_CONNECTIONS', '501'],
    ['REDIS_URL', 'http://127.0.0.1:6379'],
    ['REDIS_URL', '127.0.0.1:6379'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '10.0.0.0/8, ::/0'],
    ['TRUST_PROXY', '::/00'],
    ['SESSION_SECRET', ' , '],
    ['COOKIE_SECURE', 'maybe'],
    ['SDK_KEY', 'two words'],
    ['PUBLIC_URL', 'flags.example.org'],
    ['PUBLIC_URL', 'ftp://flags.example.org'],
    ['PUBLIC_URL', 'https://flags.example.org?x=1'],
    ['PUBLIC_URL', 'https://example.org/flags'],
    ['PUBLIC_URL', 'https://example.org/api/burgee'],
    ['HTTPS_PROXY', 'http://proxy.internal:3128/path'],
    ['HTTPS_PROXY', 'socks5://proxy.internal:1080'],
    ['LOG_LEVEL', 'verbose'],
    ['RUST_LOG', 'burgee=debug'],
    ['SETUP_TOKEN', 'two words'],
    ['METRICS_TOKEN', 'naïve'],
    ['IMPRESSION_RETENTION_DAYS', '0'],
    ['BLOCK_PRIVATE_TARGETS', '2'],
    ['OUTBOUND_ALLOW', '10.0.0'],
    ['OUTBOUND_ALLOW', '10.0.0.0/33'],
    ['OUTBOUND_ALLOW', 'https://hooks.internal/x'],
    ['OUTBOUND_ALLOW', 'hooks.internal:8080'],
    ['OUTBOUND_ALLOW', '*.internal'],
    ['MAX_STALE_AUTH_SECONDS', '86401'],
    ['RATE_LIMIT_INGEST', '0'],
    ['RATE_LIMIT_REQUESTS', 'many'],
    ['TRUST_PROXY', 'localhost'],
    ['TRUST_PROXY', '10.0.0.0/33'],
  ])('%s=%j is refused', (setting, value) => {
    expect(problemsOf({ [setting]: value, NODE_ENV: 'test' })).toMatchObject([{ setting }])
  })
})

describe('problems with settings', () => {
  it('all problems are reported at once, with setting, value and allowed values', () => {
    const env = { PORT: 'http', LOG_LEVEL: 'loud', COOKIE_SECURE: 'perhaps', NODE_ENV: 'production' }
    expect(problemsOf(env)).toEqual([
      { setting: 'PORT', value: '"http"', allowed: SETTINGS.PORT.allowed },
      { setting: 'COOKIE_SECURE', value: '"perhaps"', allowed: SETTINGS.COOKIE_SECURE.allowed },
      { setting: 'LOG_LEVEL', value: '"loud"', allowed: SETTINGS.LOG_LEVEL.allowed },
      { setting: 'SESSION_SECRET', value: 'unset', allowed: SETTINGS.SESSION_SECRET.allowed },
    ])
  })

  it('problems never show a secret', () => {
    const secrets = Object.entries<Setting<unknown, unknown>>(SETTINGS).filter(
      ([, { secret }]) => secret === true,
    )
    expect(secrets.map(([name]) => name)).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'SESSION_SECRET', 'SDK_KEY', 'SETUP_TOKEN', 'METRICS_TOKEN']),
    )
    const env = Object.fromEntries(secrets.map(([name]) => [name, 'hünter2 hünter2']))
    const error = new ConfigError(problemsOf({ ...env, SESSION_SECRET: 'hünter2', NODE_ENV: 'production' }))
    expect(error.problems.length).toBeGreaterThan(5)
    expect(`${describeConfigError(error)} ${error.message} ${JSON.stringify(error.problems)}`).not.toContain(
      'nter2',
    )
  })

  it('problems are described in one line each', () => {
    const error = new ConfigError(problemsOf({ PORT: 'http', DB_MAX_CONNECTIONS: '-1' }))
    expect(describeConfigError(error)).toBe(
      [
        'These settings stop the server from starting:',
        '  PORT is "http": it must be a whole number from 0 to 65535',
        '  DB_MAX_CONNECTIONS is "-1": it must be a whole number from 1 to 500',
      ].join('\n'),
    )
  })
})

describe('SESSION_SECRET', () => {
  const external = { DATABASE_URL }
  it.each<[Environment, boolean]>([
    [{}, true],
    [{ SESSION_SECRET: 'short' }, true],
    [{ NODE_ENV: 'production' }, false],
    [{ NODE_ENV: 'production', SESSION_SECRET: 'short' }, false],
    [{ NODE_ENV: 'production', SESSION_SECRET: LONG_SECRET }, true],
    [{ NODE_ENV: 'production', SESSION_SECRET: 'x'.repeat(31) }, false],
    [{ NODE_ENV: 'production', SESSION_SECRET: 'x'.repeat(32) }, true],
    [{ NODE_ENV: 'production', SESSION_SECRET: `${LONG_SECRET},short` }, false],
    [{ NODE_ENV: 'production', SESSION_SECRET: `${LONG_SECRET},${LONG_SECRET}` }, true],
    [{ NODE_ENV: 'development' }, true],
    [external, false],
    [{ ...external, SESSION_SECRET: 'short' }, false],
    [{ ...external, SESSION_SECRET: LONG_SECRET }, true],
    [{ ...external, NODE_ENV: 'staging' }, false],
    [{ ...external, NODE_ENV: 'development' }, true],
    [{ ...external, NODE_ENV: 'test', SESSION_SECRET: 'short' }, true],
  ])('SESSION_SECRET with %j lets the server start: %s', (env, may) => {
    expect(problemsOf(env).map(({ setting }) => setting)).toEqual(may ? [] : ['SESSION_SECRET'])
  })

  it('SESSION_SECRET is generated only with the embedded database', () => {
    expect(loadConfig({}).sessionSecrets).toBeNull()
    const [secret = ''] = loadConfig({ ...external, NODE_ENV: 'test' }).sessionSecrets ?? []
    expect(secret).toContain('insecure')
    expect(problemsOf({ NODE_ENV: 'production', SESSION_SECRET: secret })).toHaveLength(1)
  })
})

describe('a secret in a file', () => {
  const files: Record<string, string> = {
    '/run/secrets/session': `${LONG_SECRET}\n`,
    '/run/secrets/database': `${DATABASE_URL}\r\n`,
    '/run/secrets/blank': ' \n',
    '/run/secrets/words': 'hünter2 hünter2\n',
    '/run/secrets/large': 'x'.repeat(65_537),
  }
  const readFile = (path: string) => {
    const text = files[path]
    if (text === undefined) throw Object.assign(new Error(path), { code: 'ENOENT' })
    return text
  }
  const problems = (env: Environment) => {
    try {
      loadConfig(env, readFile)
      return []
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      return error.problems
    }
  }

  it('a secret in a file is read without the newline at its end', () => {
    const env = {
      SESSION_SECRET_FILE: '/run/secrets/session',
      DATABASE_URL_FILE: ' /run/secrets/database ',
      METRICS_TOKEN_FILE: ' ',
      NODE_ENV: 'production',
    }
    expect(loadConfig(env, readFile)).toMatchObject({
      sessionSecrets: [LONG_SECRET],
      database: { kind: 'external', url: DATABASE_URL },
      metrics_token: null,
    })
  })

  it('every secret setting may be in a file, and no other', () => {
    const settings = Object.entries<Setting<unknown, unknown>>(SETTINGS)
    const secrets = settings.filter(([, { secret }]) => secret === true).map(([name]) => `${name}_FILE`)
    const env = Object.fromEntries(settings.map(([name]) => [`${name}_FILE`, '/nowhere']))
    expect(problems(env).map(({ setting }) => setting)).toEqual(secrets)
    expect(renderSettingsPage()).toContain('| `METRICS_TOKEN`, also `METRICS_TOKEN_FILE` |')
  })

  it('a secret in a file is a problem when it is given twice, unreadable, empty or too large', () => {
    const env = {
      SESSION_SECRET: LONG_SECRET,
      SESSION_SECRET_FILE: '/run/secrets/session',
      SDK_KEY_FILE: '/run/secrets/none',
      SETUP_TOKEN_FILE: '/run/secrets/blank',
      METRICS_TOKEN_FILE: '/run/secrets/large',
      PORT: 'http',
    }
    expect(problems(env).map(({ setting, value, allowed }) => `${setting} ${value} ${allowed}`)).toEqual([
      'SESSION_SECRET_FILE "/run/secrets/session" unset while `SESSION_SECRET` is set: keep only one of them',
      'SDK_KEY_FILE "/run/secrets/none" the path of a file that the server can read (no such file)',
      'SETUP_TOKEN_FILE "/run/secrets/blank" the path of a file that is not empty',
      'METRICS_TOKEN_FILE "/run/secrets/large" the path of a file of at most 65536 characters',
      expect.stringContaining('PORT "http"'),
    ])
  })

  it('the refused content of a file is not shown', () => {
    expect(problems({ SETUP_TOKEN_FILE: '/run/secrets/words' })).toEqual([
      { setting: 'SETUP_TOKEN', value: '(hidden, 15 characters)', allowed: SETTINGS.SETUP_TOKEN.allowed },
    ])
  })
})

describe('an unattended set-up', () => {
  const admin = { SETUP_ADMIN_EMAIL: 'ada@example.org', SETUP_ADMIN_PASSWORD: 'long enough' }

  it('unattended set-up needs an e-mail address and a password and has default names', () => {
    expect(loadConfig(admin).setup).toEqual({
      adminEmail: 'ada@example.org',
      adminPassword: 'long enough',
      adminName: 'Admin',
      workspace_name: 'Workspace',
      project_name: 'Default project',
      sdk_key: null,
    })
  })

  it('unattended set-up takes names and the SDK key from the settings', () => {
    const env = {
      ...admin,
      SETUP_ADMIN_NAME: 'Ada',
      SETUP_WORKSPACE_NAME: 'Engines',
      SETUP_PROJECT_NAME: 'Analytical',
      SETUP_SDK_KEY: 'sk_live_demo',
    }
    expect(loadConfig(env).setup).toMatchObject({
      adminName: 'Ada',
      workspace_name: 'Engines',
      project_name: 'Analytical',
      sdk_key: 'sk_live_demo',
    })
  })

  it.each<[Environment, string[]]>([
    [{ SETUP_ADMIN_EMAIL: 'ada@example.org' }, ['SETUP_ADMIN_PASSWORD']],
    [{ SETUP_ADMIN_PASSWORD: 'long enough' }, ['SETUP_ADMIN_EMAIL']],
    [{ SETUP_PROJECT_NAME: 'Analytical' }, ['SETUP_ADMIN_EMAIL', 'SETUP_ADMIN_PASSWORD']],
    [{ ...admin, SETUP_ADMIN_PASSWORD: 'seven77' }, ['SETUP_ADMIN_PASSWORD']],
    [{ ...admin, SETUP_ADMIN_PASSWORD: 'x'.repeat(1025) }, ['SETUP_ADMIN_PASSWORD']],
    [{ ...admin, SETUP_ADMIN_EMAIL: 'ada' }, ['SETUP_ADMIN_EMAIL']],
    [{ ...admin, SETUP_SDK_KEY: 'demo' }, ['SETUP_SDK_KEY']],
  ])('%j is refused for %j', (env, settings) => {
    expect(problemsOf(env).map(({ setting }) => setting)).toEqual(settings)
  })
})

describe('single sign-on', () => {
  const SSO = {
    OIDC_ISSUER: 'https://id.example.com/realms/shop/',
    OIDC_CLIENT_ID: 'burgee',
    OIDC_CLIENT_SECRET: 'a-client-secret',
    PUBLIC_URL: 'https://flags.example.com/',
  }

  it('single sign-on needs an issuer, a client and the public address, and has defaults for the rest', () => {
    expect(loadConfig(SSO).singleSignOn).toEqual({
      issuer: 'https://id.example.com/realms/shop/',
      clientId: 'burgee',
      clientSecret: 'a-client-secret',
      scopes: 'openid email profile',
      groupsClaim: 'groups',
      label: 'single sign-on',
      publicUrl: 'https://flags.example.com',
      proxy: {},
    })
  })

  it.each<[Environment, string[]]>([
    [{ OIDC_ISSUER: SSO.OIDC_ISSUER }, ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'PUBLIC_URL']],
    [{ ...SSO, OIDC_ISSUER: '' }, ['OIDC_ISSUER']],
    [{ PASSWORD_LOGIN: 'off' }, ['OIDC_ISSUER']],
    [{ ...SSO, PASSWORD_LOGIN: 'off' }, []],
    [{ ...SSO, PASSWORD_LOGIN: 'never' }, ['PASSWORD_LOGIN']],
    [{ ...SSO, OIDC_ISSUER: 'http://id.example.com' }, ['OIDC_ISSUER']],
    [{ ...SSO, OIDC_ISSUER: 'http://localhost:8080/realms/shop' }, []],
    [{ ...SSO, OIDC_ISSUER: 'https://id.example.com?tenant=1' }, ['OIDC_ISSUER']],
    [{ ...SSO, OIDC_SCOPES: 'email profile' }, ['OIDC_SCOPES']],
    [{ ...SSO, OIDC_SCOPES: 'openid  groups' }, []],
    [{ ...SSO, OIDC_SCOPES: 'openid "groups"' }, ['OIDC_SCOPES']],
    [{ ...SSO, OIDC_LABEL: 'x'.repeat(61) }, ['OIDC_LABEL']],
  ])('of the settings %o these are refused: %o', (env, refused) => {
    expect(problemsOf(env).map(({ setting }) => setting)).toEqual(refused)
  })
})

describe('docs/settings.md', () => {
  it('docs/settings.md lists every setting and no other, with its default', async () => {
    // `npx vitest run -u` on this file writes the page again.
    await expect(renderSettingsPage()).toMatchFileSnapshot('../../../../../../docs/settings.md')
  })
})
