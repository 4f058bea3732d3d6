import { expect, test } from 'vitest'
import { callApi, signIn } from './harness/call-api.ts'
import { cloneDatabase } from './harness/clone-database.ts'
import { openStage } from './harness/open-stage.ts'
import { ADMIN, startServer } from './harness/start-server.ts'

test('of 200 concurrent wrong passwords on two servers exactly five are checked, for known and unknown accounts', async () => {
  const stage = openStage()
  const databaseUrl = await cloneDatabase()
  const servers = await Promise.all(
    [0, 1].map(() => startServer(stage, { databaseUrl, env: { LOG_LEVEL: 'trace' } })),
  )
  const [one, two] = servers.map(({ url }) => url)
  const logIn = (url: string | undefined, email: string, password: string) =>
    callApi(url ?? '', 'POST', '/api/auth/login', { email, password }, {})
  const session = await signIn(one ?? '')

  for (const email of [ADMIN.email, 'nobody@example.com']) {
    const guesses = Array.from({ length: 200 }, (_, index) => {
      const spelling = index % 3 === 0 ? email.toUpperCase() : email
      return logIn(index % 2 === 0 ? one : two, spelling, `wrong guess ${index}`)
    })
    const answers = await Promise.all(guesses)

    const checked = answers.filter(({ status }) => status === 401)
    expect(checked.map(({ body }) => body.attempts_remaining).sort()).toEqual([0, 1, 2, 3, 4])
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(195)
    expect(new Set(refused.map(({ body }) => body.retry_after_seconds))).toEqual(new Set([900]))
    expect(new Set(refused.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['900']))
  }

  expect((await logIn(one, ADMIN.email, ADMIN.password)).status).toBe(429)
  expect((await logIn(two, ADMIN.email.toUpperCase(), ADMIN.password)).status).toBe(429)
  expect((await callApi(two ?? '', 'GET', '/api/auth/me', undefined, session)).status).toBe(200)
  const output = servers.map((server) => server.output()).join('\n')
  expect(output).not.toContain('wrong guess')
  expect(output).not.toContain(session.cookie?.replace('lg_session=', ''))
})
