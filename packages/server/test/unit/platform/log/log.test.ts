import { describe, expect, it } from 'vitest'
import { createLog, redactUrl } from '../../../../src/platform/log/log.ts'

function capture(level: Parameters<typeof createLog>[0] = 'trace') {
  const lines: string[] = []
  const log = createLog(level, { write: (line) => void lines.push(line) })
  return { log, lines }
}

describe('the log', () => {
  it.each(['error', 'warn', 'info', 'debug', 'trace'] as const)(
    'the log level %s writes that level and more severe ones',
    (level) => {
      const { log, lines } = capture(level)
      for (const each of ['trace', 'debug', 'info', 'warn', 'error'] as const) log[each]('said')
      const written = lines.map((line) => (JSON.parse(line) as { level: string }).level)
      const all = ['trace', 'debug', 'info', 'warn', 'error']
      expect(written).toEqual(all.slice(all.indexOf(level)))
    },
  )

  it('the log has ISO 8601 times in UTC', () => {
    const { log, lines } = capture()
    log.info('said')
    expect((JSON.parse(lines[0] ?? '') as { time: string }).time).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    )
  })

  it.each([
    'authorization',
    'cookie',
    'set-cookie',
    'sdk_key',
    'password',
    'current_password',
    'new_password',
    'token',
    'key',
    'secret',
    'webhook_url',
  ])('the log hides %s at every depth', (field) => {
    const { log, lines } = capture()
    log.info({ [field]: 'hunter2' })
    log.info({ a: { [field]: 'hunter2' } })
    log.info({ a: { b: { [field]: 'hunter2' } } })
    log.info({ a: { b: { c: { [field]: 'hunter2' } } } })
    log.child({ [field]: 'hunter2' }).info('from a child')
    expect(lines).toHaveLength(5)
    expect(lines.join('')).not.toContain('hunter2')
    expect(lines.join('').match(/\[redacted\]/g)).toHaveLength(5)
  })

  it('the log hides secrets in arrays, in any case, and in circular objects', () => {
    const { log, lines } = capture()
    const round: Record<string, unknown> = { Password: 'hunter2' }
    round.self = round
    log.info({ list: [{ Authorization: 'hunter2' }], round })
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toContain('hunter2')
  })

  it('the log writes only the type of a socket or pool', () => {
    const { log, lines } = capture()
    class Pool {
      options = { connectionString: 'hunter2' }
    }
    log.info({ a: { pool: new Pool() }, at: new Date(0) })
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      a: { pool: '[Pool]' },
      at: '1970-01-01T00:00:00.000Z',
    })
  })

  it('the log masks keys and tokens in errors', () => {
    const { log, lines } = capture()
    log.error({ err: new Error('no such key sk_live_hunter2'), a: { why: new Error('pat_hunter2') } })
    expect(lines[0]).toContain('sk_live_[redacted]')
    expect(lines[0]).not.toContain('hunter2')
  })

  it('the log writes only the method of a request and its URL without credentials', () => {
    const { log, lines } = capture()
    const headers = { authorization: 'Bearer hunter2' }
    log.info({ req: { method: 'GET', url: '/stream?sdk_key=hunter2', headers } })
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      req: { method: 'GET', url: '/stream?sdk_key=[redacted]' },
    })
    expect(lines.join('')).not.toContain('hunter2')
  })

  it('the log writes message and stack of an error, and nothing that a driver attaches to it', () => {
    const { log, lines } = capture()
    const cause = Object.assign(new Error('duplicate'), { code: '23505', detail: 'Key (email)=(hunter2)' })
    log.error({ err: Object.assign(new Error('broken', { cause }), { client: { password: 'hunter2' } }) })
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      err: { type: 'Error', message: 'broken', cause: { message: 'duplicate', code: '23505' } },
    })
    expect(lines.join('')).not.toContain('hunter2')
  })
})

describe('a URL in the log', () => {
  it.each([
    ['/stream', '/stream'],
    ['/stream?sdk_key=sk_live_abc', '/stream?sdk_key=[redacted]'],
    ['/stream?environment_id=1&sdk_key=abc&x=2', '/stream?environment_id=1&sdk_key=[redacted]&x=2'],
    ['/stream?SDK_KEY=abc', '/stream?SDK_KEY=[redacted]'],
    ['/stream?sdk%5Fkey=abc', '/stream?sdk%5Fkey=[redacted]'],
    ['/stream?sdk_key=a=b', '/stream?sdk_key=[redacted]'],
    ['/stream?sdk_key=a?sdk_key=b', '/stream?sdk_key=[redacted]'],
    ['/setup?token=abc', '/setup?token=[redacted]'],
    ['http://localhost:3000/setup?token=abc', 'http://localhost:3000/setup?token=[redacted]'],
    ['/stream?sdk_key', '/stream?sdk_key'],
    ['/stream?x=%E0%A4%A&token=1', '/stream?x=%E0%A4%A&token=[redacted]'],
    ['/stream?other=sk_live_abc-_9', '/stream?other=sk_live_[redacted]'],
    ['/oops/pat_abc', '/oops/pat_[redacted]'],
    ['/login?email=ann&Password=abc', '/login?email=ann&Password=[redacted]'],
    ['/x?new_password=abc', '/x?new_password=[redacted]'],
    ['/oops/eyJhbGciOiJkaXIifQ..aa-a.bb_b.cc', '/oops/[redacted]'],
  ])('the URL %s is logged as %s', (url, written) => {
    expect(redactUrl(url)).toBe(written)
  })
})
