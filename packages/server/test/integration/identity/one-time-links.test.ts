import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertToken } from '../../authorization/insert-token.ts'
import { addUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { createManualClock } from '../../harness/manual-clock.ts'
import { enrolTotp } from '../../harness/second-factors.ts'
import { ADMIN, startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { startProvider } from '../../scim/provider.ts'

const MINUTE_MS = 60_000
const PUBLIC_URL = 'https://flags.example.com'
const NEW_PASSWORD = 'a brand new password'

interface Received {
  readonly to: string[]
  readonly from: string
  readonly text: string
}

const clock = createManualClock()
const mails: Received[] = []
const receiver = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, session, done) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      const { mailFrom, rcptTo } = session.envelope
      const text = Buffer.concat(chunks).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=')
      mails.push({
        to: rcptTo.map(({ address }) => address),
        from: mailFrom === false ? '' : mailFrom.address,
        text,
      })
      done()
    })
  },
})
/** Without e-mail. */
let server: TestServer
let mailing: TestServer
let smtpUrl: string
let made = 0

const startMailing = () =>
  startTestServer({
    clock,
    database: server.database,
    env: { SMTP_URL: smtpUrl, SMTP_FROM: 'burgee@example.com', PUBLIC_URL },
  })

beforeAll(async () => {
  const listening = once(receiver.server, 'listening')
  receiver.listen(0, '127.0.0.1')
  await listening
  const address = receiver.server.address()
  const port = typeof address === 'object' ? address?.port : 0
  server = await startTestServer({ clock })
  smtpUrl = `smtp://127.0.0.1:${port}`
  mailing = await startMailing()
})
afterAll(async () => {
  await mailing.close()
  await server.close()
  await new Promise<void>((resolve) => receiver.close(resolve))
})

const newEmail = () => {
  made += 1
  return `links-${made}@example.com`
}
const newUser = () => addUser(server, { email: newEmail() })
const invite = (on = server, email = newEmail()) =>
  on.call({ path: '/api/users/invitations', body: { name: 'Grace', email, role: 'viewer' } })
const createLink = (id: number, on = server) => on.call({ method: 'POST', path: `/api/users/${id}/link` })
const anonymous = (path: string, body: object, on = server) => on.call({ path, body, as: 'anonymous' })
const read = (token: string, on = server) => anonymous('/api/auth/links/read', { token }, on)
const redeem = (token: string, more: object = {}) =>
  anonymous('/api/auth/links/redeem', { token, password: NEW_PASSWORD, ...more })
const logIn = (email: string, password = NEW_PASSWORD) => anonymous('/api/auth/login', { email, password })
const forgot = (email: string, on = mailing) => anonymous('/api/auth/password-reset', { email }, on)
const me = (as: { cookie: string } | { bearer: string }) => server.call({ path: '/api/auth/me', as })

/** The token of a link; it must be nowhere else from now on. */
function tokenOf(link: string): string {
  const token = /#token=([\w-]{43})/.exec(link)?.[1] ?? ''
  expect(token).not.toBe('')
  server.watchSecret(token)
  return token
}

const mailsTo = (email: string): number => mails.filter(({ to }) => to.includes(email)).length
const mailTo = async (email: string): Promise<Received> => {
  await eventually(() => mails.some(({ to }) => to.includes(email)))
  const mail = mails.findLast(({ to }) => to.includes(email))
  if (!mail) throw new Error('it was just there')
  return mail
}

describe('an address that SCIM has changed', () => {
  test('gets no link until the person has confirmed it in a session of their own', async () => {
    const provider = await startProvider(server)
    const adopted = await server.call({
      method: 'PATCH',
      path: '/api/workspace/scim',
      body: { adopts_accounts: true },
    })
    expect(adopted.status).toBe(200)
    const person = await newUser()
    const id = await provider.newUser(person.email)
    const earlier = tokenOf((await createLink(person.id)).body.link)
    const email = newEmail()
    const changed = await provider.patch(`/Users/${id}`, [{ op: 'replace', path: 'userName', value: email }])
    expect(changed.status).toBe(200)
    const since = clock.now().toISOString()

    expect((await read(earlier)).status).toBe(404)
    expect((await forgot(email)).status).toBe(204)
    const other = await newUser()
    await forgot(other.email)
    await mailTo(other.email)
    const stored = await server.database.db
      .selectFrom('one_time_links')
      .select('id')
      .where('user_id', '=', person.id)
      .execute()
    expect([stored, mailsTo(email)]).toEqual([[], 0])
    // An admin can hand one over.
    const handed = (await createLink(person.id, mailing)).body
    expect(handed).toMatchObject({ sent_to: null, user: { email, email_unconfirmed_since: since } })
    tokenOf(handed.link)

    expect((await me(person)).body).toMatchObject({ email, email_unconfirmed_since: since })
    const confirm = (body: object, as: { cookie: string } | { bearer: string } = person) =>
      server.call({ path: '/api/auth/me/email', body, as })
    const { token } = await insertToken({ server }, { user_id: person.id })
    expect((await confirm({ email }, { bearer: token })).status).toBe(403)
    expect((await confirm({ email: person.email })).status).toBe(409)
    const confirmed = await confirm({ email })
    expect(confirmed).toMatchObject({ status: 200, body: { email } })
    expect(confirmed.body).not.toHaveProperty('email_unconfirmed_since')
    expect((await confirm({ email })).status).toBe(200)
    expect((await forgot(email)).status).toBe(204)
    tokenOf((await mailTo(email)).text)
    const { body } = await server.call({ path: `/api/audit?resource=user:${person.id}&limit=200` })
    const entries = body.filter(
      ({ metadata }: { metadata: { email?: string } }) => metadata.email === 'confirmed',
    )
    expect(entries).toMatchObject([{ actor_email: email }])
  })
})

describe('an invitation', () => {
  test('without e-mail the admin sees the link once, and the person sets a password with it', async () => {
    const email = newEmail()

    const { body, headers, status } = await invite(server, email)

    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toMatchObject({ user: { email, role: 'viewer' }, sent_to: null })
    expect(body.link).toMatch(/^\/set-password#token=/)
    expect(body.expires_at).toBe(new Date(clock.now().getTime() + 60 * MINUTE_MS).toISOString())
    const token = tokenOf(body.link)
    expect((await read(token)).body).toEqual({ email, purpose: 'invitation', expires_at: body.expires_at })
    expect((await logIn(email)).status).toBe(401)
    const hasPassword = async () =>
      (await server.call({ path: `/api/users/${body.user.id}` })).body.has_password
    expect(await hasPassword()).toBe(false)
    expect((await redeem(token)).status).toBe(204)
    expect((await logIn(email)).status).toBe(200)
    expect(await hasPassword()).toBe(true)
  })

  test('with e-mail the person receives the link, and the admin does not', async () => {
    const email = newEmail()

    const { body } = await invite(mailing, email)

    expect(body).toMatchObject({ sent_to: email, link: null })
    const mail = await mailTo(email)
    expect(mail).toMatchObject({ to: [email], from: 'burgee@example.com' })
    expect(mail.text).toContain(`${PUBLIC_URL}/set-password#token=`)
    expect((await redeem(tokenOf(mail.text))).status).toBe(204)
  })

  test('stays valid when anyone requests a new password for its address, as does every other link', async () => {
    const email = newEmail()
    const token = tokenOf((await invite(server, email)).body.link)

    expect((await forgot(email)).status).toBe(204)
    const requested = tokenOf((await mailTo(email)).text)

    expect((await read(token)).status).toBe(200)
    expect((await read(requested)).status).toBe(200)
    expect((await redeem(token)).status).toBe(204)
    expect((await read(requested)).status).toBe(404)
  })

  test('of an account has at most five links beside it, however often one is requested', async () => {
    const email = newEmail()
    const invited = tokenOf((await invite(server, email)).body.link)
    const instances = [mailing, await startMailing()]
    for (let sent = 0; sent < 3; sent += 1) {
      for (const instance of instances) {
        expect((await forgot(email, instance)).status).toBe(204)
        await eventually(() => instance.logged().includes('could not be sent') || mailsTo(email) > sent)
      }
    }

    await eventually(() => instances.some((instance) => instance.logged().includes('could not be sent')))
    const links = server.database.db.selectFrom('one_time_links').innerJoin('users', 'users.id', 'user_id')
    expect(await links.select('purpose').where('email', '=', email).execute()).toHaveLength(5)
    expect((await read(invited)).status).toBe(200)
    await instances[1]?.close()
  })

  test('an address with a comma reaches nobody else', async () => {
    const email = `${newEmail()},other-${made}@example.com`.replace('@example.com,', ',')

    const { body } = await invite(mailing, email)

    // The SMTP server may refuse it: then the admin has the link.
    expect(body.sent_to === email || body.link !== null).toBe(true)
    expect(mails.some(({ to }) => to.includes(`other-${made}@example.com`))).toBe(false)
    if (body.link) tokenOf(body.link)
  })

  test('an e-mail that is in use is 409', async () => {
    expect((await invite(server, ADMIN.email.toUpperCase())).status).toBe(409)
  })

  test('when the e-mail cannot be sent, the admin has the link', async () => {
    const broken = await startTestServer({
      clock,
      database: server.database,
      env: { SMTP_URL: 'smtp://127.0.0.1:9', SMTP_FROM: 'burgee@example.com', PUBLIC_URL },
    })
    const { body } = await invite(broken)
    await broken.close()

    expect(body.sent_to).toBeNull()
    expect((await redeem(tokenOf(body.link))).status).toBe(204)
  })
})

describe('a link', () => {
  test('it works once, also when it is used twice at the same time', async () => {
    const { id } = await newUser()
    const token = tokenOf((await createLink(id)).body.link)

    const answers = await Promise.all([redeem(token), redeem(token, { password: 'another long password' })])

    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
    expect((await redeem(token)).status).toBe(404)
    expect((await read(token)).status).toBe(404)
  })

  test('it ends after an hour, and when another one is created', async () => {
    const { id } = await newUser()
    const first = tokenOf((await createLink(id)).body.link)
    const second = tokenOf((await createLink(id)).body.link)
    expect((await redeem(first)).status).toBe(404)
    clock.advance(60 * MINUTE_MS - 1)
    expect((await read(second)).status).toBe(200)

    clock.advance(1)

    expect((await redeem(second)).status).toBe(404)
  })

  test('it ends with a new password, and when the account is disabled for a while', async () => {
    const user = await newUser()
    const { body: first } = await createLink(user.id)
    const password = 'a password that an admin has set'
    await server.call({ method: 'PATCH', path: `/api/users/${user.id}`, body: { password } })
    expect((await read(tokenOf(first.link))).status).toBe(404)
    const { body: second } = await createLink(user.id)
    for (const step of ['disable', 'enable']) {
      await server.call({ method: 'POST', path: `/api/users/${user.id}/${step}`, body: {} })
    }
    expect((await read(tokenOf(second.link))).status).toBe(404)
  })

  test('a password that is refused does not use it up', async () => {
    const { id } = await newUser()
    const token = tokenOf((await createLink(id)).body.link)

    expect((await redeem(token, { password: 'short' })).status).toBe(422)
    const common = { password: 'password', password_policy: 'strict' }
    expect((await redeem(token, common)).status).toBe(422)

    expect((await redeem(token)).status).toBe(204)
  })

  test('it is worth nothing for a disabled user, who gets no other one', async () => {
    const { email, id } = await newUser()
    const token = tokenOf((await createLink(id)).body.link)
    await server.call({ method: 'POST', path: `/api/users/${id}/disable` })

    expect((await redeem(token)).status).toBe(404)
    expect((await createLink(id)).status).toBe(422)
    expect((await forgot(email)).status).toBe(204)
    expect(mails.some(({ to }) => to.includes(email))).toBe(false)
  })

  test('it ends the sessions, and the tokens unless it is asked to keep them', async () => {
    for (const revoke_tokens of [undefined, false]) {
      const user = await newUser()
      const { token: bearer } = await insertToken({ server }, { user_id: user.id })
      const token = tokenOf((await createLink(user.id)).body.link)

      await redeem(token, { revoke_tokens })

      expect((await me(user)).status).toBe(401)
      expect((await me({ bearer })).status).toBe(revoke_tokens === false ? 200 : 401)
      expect((await logIn(user.email, ADMIN.password)).status).toBe(401)
    }
  })

  test('guesses are counted by address: ten unknown links in a minute are too many', async () => {
    const { id } = await newUser()
    const token = tokenOf((await createLink(id)).body.link)
    clock.advance(MINUTE_MS)
    for (let guess = 0; guess < 10; guess += 1) expect((await read(`guess-${guess}`)).status).toBe(404)

    const answer = await read(token)

    expect(answer.status).toBe(429)
    expect((await redeem(token)).status).toBe(429)
    clock.advance(MINUTE_MS)
    expect((await read(token)).status).toBe(200)
  })

  test('a huge or odd token is refused', async () => {
    clock.advance(MINUTE_MS)
    expect((await read('x'.repeat(201))).status).toBe(422)
    expect((await read('x'.repeat(20_000))).status).toBe(413)
    expect((await read('\0')).status).toBe(422)
    for (const token of ['', "' or 1=1 --", '…']) expect((await read(token)).status).toBe(404)
    clock.advance(MINUTE_MS)
  })

  test('it is in the audit log who created it and that it was used, and the link is not', async () => {
    const { email, id } = await newUser()
    const token = tokenOf((await createLink(id)).body.link)
    await redeem(token)

    const entries = await server.database.db
      .selectFrom('audit_log')
      .where('action', 'not like', 'auth.%')
      .select(['actor_email', 'metadata'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(entries).toMatchObject([
      {
        actor_email: email,
        metadata: { resource: `user:${id}`, link: 'password_reset', password: 'changed' },
      },
      { actor_email: ADMIN.email, metadata: { resource: `user:${id}`, link: 'password_reset' } },
    ])
    expect(JSON.stringify(entries)).not.toContain(token)
  })
})

describe('a forgotten password', () => {
  test('a link is sent to the account, and nothing elsewhere; the responses are the same', async () => {
    const { email } = await newUser()

    const known = await forgot(email)
    const unknown = await forgot('unknown@example.com')

    expect([known.status, unknown.status]).toEqual([204, 204])
    expect(known.body).toEqual(unknown.body)
    const mail = await mailTo(email)
    expect((await redeem(tokenOf(mail.text))).status).toBe(204)
    expect(mails.some(({ to }) => to.includes('unknown@example.com'))).toBe(false)
  })

  test('an account receives at most three e-mails an hour, and an address has ten requests a minute', async () => {
    clock.advance(60 * MINUTE_MS)
    const { email } = await newUser()
    for (let time = 0; time < 10; time += 1) expect((await forgot(email)).status).toBe(204)
    expect((await forgot('unknown@example.com')).status).toBe(429)

    await eventually(() => mails.filter(({ to }) => to.includes(email)).length === 3)
    clock.advance(MINUTE_MS)
    await forgot(email)
    const other = await newUser()
    await forgot(other.email)
    await mailTo(other.email)
    expect(mails.filter(({ to }) => to.includes(email))).toHaveLength(3)
    for (const { text, to } of mails) if (to.includes(email) || to.includes(other.email)) tokenOf(text)
  })

  test('without e-mail it is 404, and the page that people sign in with knows', async () => {
    expect((await forgot(ADMIN.email, server)).status).toBe(404)
    for (const [on, expected] of [[server, false] as const, [mailing, true] as const]) {
      const options = await on.call({ path: '/api/auth/sso', as: 'anonymous' })
      expect(options.body.password_reset).toBe(expected)
    }
  })
})

describe('a reset of second factors', () => {
  const reset = (id: number, on = mailing) => on.call({ method: 'DELETE', path: `/api/users/${id}/factors` })

  test('is announced to the person by e-mail where there was a factor', async () => {
    const user = await newUser()
    expect((await reset(user.id)).status).toBe(204)
    await enrolTotp(server, user, clock)
    const { body } = await server.call({ path: `/api/users/${user.id}` })
    expect(body.second_factors).toEqual(['totp'])

    expect((await reset(user.id)).status).toBe(204)

    const mail = await mailTo(user.email)
    expect(mail.text).toContain('A workspace admin has removed the second factors')
    expect(mails.filter(({ to }) => to.includes(user.email))).toHaveLength(1)
  })

  test('succeeds where the e-mail cannot be sent', async () => {
    const user = await newUser()
    await enrolTotp(server, user, clock)
    const broken = await startTestServer({
      clock,
      database: server.database,
      env: { SMTP_URL: 'smtp://127.0.0.1:9', SMTP_FROM: 'burgee@example.com', PUBLIC_URL },
    })
    expect((await reset(user.id, broken)).status).toBe(204)
    await broken.close()
    const { body } = await server.call({ path: `/api/users/${user.id}` })
    expect(body.second_factors).toEqual([])
  })
})
