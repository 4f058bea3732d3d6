import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ADMIN } from '../../../server/test/harness/start-test-server.ts'
import { run, temporaryFolder } from '../harness/run.ts'
import { type CommandServer, startCommandServer } from '../harness/start-command-server.ts'

let server: CommandServer

beforeAll(async () => {
  server = await startCommandServer()
})
afterAll(() => server.close())

describe('the login', () => {
  test('is stored for its owner alone, and used for its server only', async () => {
    const folder = temporaryFolder()
    const env = { XDG_CONFIG_HOME: folder }
    const login = await run(['login', '--url', `${server.url}/`], { env, stdin: `${server.token}\n` })
    expect(login).toMatchObject({ code: 0, err: '' })
    expect(login.out).toContain(`Signed in to ${server.url} as ${ADMIN.name} (${ADMIN.email})`)
    expect(login.out).not.toContain(server.token)
    expect(statSync(join(folder, 'burgee', 'credentials.json')).mode & 0o777).toBe(0o600)

    expect((await run(['whoami'], { env })).out).toContain(ADMIN.email)
    const elsewhere = server.url.includes('localhost')
      ? server.url.replace('localhost', '127.0.0.1')
      : server.url.replace('127.0.0.1', 'localhost')
    const refused = await run(['whoami', '--url', elsewhere], { env })
    expect(refused.code).toBe(1)

    expect((await run(['logout'], { env })).code).toBe(0)
    expect((await run(['whoami', '--url', server.url], { env })).code).toBe(1)
  })

  test('is not stored when the server refuses the token', async () => {
    const env = { XDG_CONFIG_HOME: temporaryFolder() }
    const refused = await run(['login', '--url', server.url, '--token', 'pat_wrong'], { env })
    expect(refused.code).toBe(1)
    expect(refused.err).not.toContain('pat_wrong')
    expect((await run(['whoami', '--url', server.url], { env })).code).toBe(1)
  })
})

describe('a token', () => {
  test.each([
    ['a line break', 'pat_secret\nx'],
    ['a carriage return', 'pat_secret\rx'],
    ['a blank', 'Bearer pat_secret'],
    ['a character beyond ASCII', 'pat_secret…'],
    ['a letter with an accent', 'pat_secreté'],
    ['a control character', 'pat_secret\u0001'],
  ])('with %s is a usage error, and is not printed', async (_, token) => {
    const { url } = server
    const env = { XDG_CONFIG_HOME: temporaryFolder() }
    const expected = {
      code: 2,
      out: '',
      err: expect.stringMatching(/that no token has.*Copy the token again/),
    }
    for (const outcome of [
      await run(['whoami', '--url', url, '--token', token]),
      await run(['whoami', '--url', url], { env: { BURGEE_TOKEN: token } }),
      await run(['doctor', '--url', url, '--sdk-key', token]),
      await run(['login', '--url', url, '--token', token], { env }),
      ...(/[\r\n]/.test(token) ? [] : [await run(['login', '--url', url], { env, stdin: token })]),
    ]) {
      expect(outcome).toMatchObject(expected)
      expect(outcome.err).not.toContain('secret')
    }
  })

  test('may have a line break at its end, as from a file', async () => {
    const env = { ...server.env, BURGEE_TOKEN: `${server.token}\r\n` }
    expect(await run(['whoami'], { env })).toMatchObject({ code: 0, err: '' })
  })
})

describe('whoami with an SDK key', () => {
  const keyOf = async (kind: string) => {
    const path = `/api/projects/${server.project.id}/keys`
    const body = { name: kind, environment_id: server.environments.staging, kind }
    return (await server.call({ path, body })).body.key as string
  }
  const whoami = (token: string, ...args: string[]) =>
    run(['whoami', ...args], { env: { ...server.env, BURGEE_TOKEN: token } })

  test('says the environment of a server key, and whether it may manage it', async () => {
    const key = await keyOf('server')
    expect(await whoami(key)).toEqual({
      code: 0,
      err: '',
      out: `A server key of ${server.project.slug}/staging. It may manage the environment. ${server.url}\n`,
    })
    const expected = {
      ...{ url: server.url, type: 'sdk_key', kind: 'server', manages: true },
      ...{ environment_id: server.environments.staging },
      ...{ project: server.project.slug, environment: 'staging' },
    }
    expect(JSON.parse((await whoami(key, '-o', 'json')).out)).toEqual(expected)
    expect(parse((await whoami(key, '-o', 'yaml')).out)).toEqual(expected)

    const path = `/api/projects/${server.project.id}/environments/${server.environments.staging}`
    const allow = (keys_may_manage: boolean) =>
      server.call({ method: 'PATCH', path, body: { keys_may_manage } })
    expect((await allow(false)).status).toBe(200)
    expect((await whoami(key)).out).toContain('staging. It only reads and reports, because keys may not')
    expect(JSON.parse((await whoami(key, '-o', 'json')).out)).toMatchObject({ manages: false })
    await allow(true)
  })

  test.each(['reader', 'client'])('says the environment of a %s key', async (kind) => {
    const key = await keyOf(kind)
    const { code, out } = await whoami(key)
    expect(code).toBe(0)
    expect(out).toContain(`A ${kind} key may only read flags and send reports in the environment Staging.`)
    expect(JSON.parse((await whoami(key, '-o', 'json')).out)).toMatchObject({
      environment_id: server.environments.staging,
      manages: false,
    })
  })

  test('fails for a key that the server does not know', async () => {
    expect(await whoami('sk_live_unknownunknownunknown')).toMatchObject({ code: 1, out: '' })
  })
})

describe('every command', () => {
  test('creates no flag over another one, and says so in words', async () => {
    const args = ['flags', 'create', 'taken', '--env', 'staging']
    expect(await run(args, { env: server.env })).toMatchObject({ code: 0 })
    const { code, err } = await run(args, { env: server.env })
    expect(code).toBe(1)
    expect(err).toMatch(/^Error: A flag with the key "taken" exists already, at revision 1\. Choose another/)
    expect(err).not.toContain('If-None-Match')
  })

  test('takes a rollout to thousandths of a percent, and refuses what is finer', async () => {
    const rollout = (share: string) =>
      run(['flags', 'rollout', 'shared', share, '--env', 'staging'], { env: server.env })
    await run(['flags', 'create', 'shared', '--env', 'staging'], { env: server.env })
    expect((await rollout('12.5')).out).toContain('rollout 12.5%')
    expect((await rollout('33.3330%')).out).toContain('rollout 33.333%')
    expect((await rollout('25.000')).out).toContain('rollout 25%')
    for (const finer of ['33.3333', '100.0001', '0.0001'])
      expect(await rollout(finer)).toMatchObject({
        code: 2,
        err: `Error: ${finer} is finer than a thousandth of a percent. Write at most three decimals.\n`,
      })
    for (const wrong of ['', '%', '100.5', '0x10', '1e1', 'half'])
      expect(await rollout(wrong)).toMatchObject({ code: 2, err: expect.stringContaining('no percentage') })
    const { out } = await run(['flags', 'get', 'shared', '--env', 'staging'], { env: server.env })
    expect(JSON.parse(out)).toMatchObject({ rollout_percentage: 25 })
  })

  test('prints text, JSON or YAML', async () => {
    const text = await run(['envs'], { env: server.env })
    expect(text.out.split('\n')[0]).toMatch(/^ENVIRONMENT +NAME +APPROVAL$/)
    const json = await run(['envs', '-o', 'json'], { env: server.env })
    expect(
      JSON.parse(json.out)
        .map(({ slug }: { slug: string }) => slug)
        .sort(),
    ).toEqual(['development', 'production', 'staging'])
    const yaml = await run(['envs', '-o', 'yaml'], { env: server.env })
    expect(parse(yaml.out)).toEqual(JSON.parse(json.out))
    expect((await run(['projects'], { env: server.env })).out).toContain(server.project.slug)
  })

  test('with --quiet, what only does something prints nothing, and results are printed', async () => {
    const args = ['--env', 'staging', '--quiet']
    for (const command of [
      ['flags', 'create', 'still'],
      ['flags', 'enable', 'still'],
      ['flags', 'rollout', 'still', '5'],
      ['promote', 'still', '--from', 'staging', '--to', 'development'],
      ['flags', 'archive', 'still'],
    ]) {
      const given = command[0] === 'promote' ? [...command, '--quiet'] : [...command, ...args]
      expect(await run(given, { env: server.env })).toEqual({ code: 0, out: '', err: '' })
    }
    const shown = await run(['flags', 'get', 'still', ...args], { env: server.env })
    expect(shown.out).toContain('still')
    const asJson = await run(['flags', 'enable', 'still', ...args, '-o', 'json'], { env: server.env })
    expect(JSON.parse(asJson.out)).toMatchObject({ key: 'still' })
  })

  test('lists keys by the slug of their environment', async () => {
    const made = await run(['keys', 'create', 'listed', '--env', 'staging'], { env: server.env })
    expect(made).toMatchObject({ code: 0, err: '' })
    const { out } = await run(['keys', 'list'], { env: server.env })
    expect(out).toMatch(/^listed +reader +staging +never$/m)
    expect(out).not.toContain(made.out.trim())
  })

  test('names what is wrong and exits with 2 for a wrong command line, with 1 for a failure', async () => {
    expect(await run(['whoam'], { env: server.env })).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean whoami?'),
    })
    expect(await run(['whoami', '-o', 'xml'], { env: server.env })).toMatchObject({ code: 2 })
    for (const args of [
      ['flags', 'create', 'x', '--type', 'float'],
      ['keys', 'create', 'x', '--kind', 'admin'],
    ])
      expect(await run([...args, '--env', 'staging'], { env: server.env })).toMatchObject({
        code: 2,
        err: expect.stringContaining('Allowed choices are'),
      })
    expect(await run(['whoami', '--url', 'flags'], { env: server.env })).toMatchObject({
      code: 2,
      err: expect.stringContaining('flags is no address of a server'),
    })
    expect(await run(['envs', '--project', 'nothing'], { env: server.env })).toMatchObject({
      code: 1,
      err: expect.stringContaining(`There is no project nothing. This login sees: ${server.project.slug}.`),
    })
    expect(await run(['whoami', '--url', 'http://127.0.0.1:9'], { env: server.env })).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be reached'),
    })
  })

  test('describes a wrong command line in one form, and suggests only a near name', async () => {
    const errors: readonly [string, string][] = [
      ['bogus', "Error: Unknown command 'bogus'.\n  burgee --help lists its commands.\n"],
      ['flags lst', "Error: Unknown command 'lst'. Did you mean list?\n  burgee flags --help lists"],
      ['flags bogus', "Error: Unknown command 'bogus'.\n  burgee flags --help lists its commands.\n"],
      ['lgoin', 'Did you mean login?'],
      ['stale --verdit keep', "Error: Unknown option '--verdit'. Did you mean --verdict?\n"],
      ['whoami --tokne x', "Error: Unknown option '--tokne'. Did you mean --token?\n"],
      ['whoami --bogus', "Error: Unknown option '--bogus'.\n  burgee whoami --help lists its options.\n"],
      ['whoami --token', "Error: Option '--token <token>' needs a value.\n"],
      ['plan', "Error: Required option '-f, --file <file...>' not specified.\n"],
      ['flags get', "Error: Missing required argument 'key'.\n"],
    ]
    for (const [line, text] of errors) {
      const { code, err } = await run(line.split(' '))
      expect({ line, code }).toEqual({ line, code: 2 })
      expect(err).toContain(text)
      expect(err.match(/error:|Did you mean/gi)?.length, err).toBe(text.includes('Did you') ? 2 : 1)
    }
    expect((await run(['a\u001b[2J'])).err).not.toContain('\u001b')
  })

  test.each(['export', 'generate'])('%s names a place that cannot be written', async (command) => {
    const args = [command, '--env', 'staging', '--out', '/dev/null/x']
    expect(await run(args, { env: server.env })).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(
        /^Error: \/dev\/null\/x\S* cannot be written: a part of its path is a file\.\n$/,
      ),
    })
  })

  test('names the forms of its own result', async () => {
    const { err } = await run(['whoami', '-o', 'xml'])
    expect(err).toBe('Error: -o xml is no form of burgee whoami. Choose text, json or yaml.\n')
    expect((await run(['flags', 'list', '-o', 'xml'])).err).toContain('no form of burgee flags list.')
    expect((await run(['whoami', '-o', 'junit'])).err).toContain('Choose text, json or yaml.\n')
    expect((await run(['test', '-o', 'xml'])).err).toContain('Choose text, json, yaml or junit.\n')
  })

  test('lists the options of every command in its help', async () => {
    for (const command of ['apply', 'flags list', 'whoami']) {
      const { code, out } = await run([...command.split(' '), '--help'])
      expect(code).toBe(0)
      for (const option of ['--url', '--token', '--project', '--env', '--output', '--quiet'])
        expect(out, command).toContain(`${option} `)
      expect(out).not.toContain('--version')
    }
  })

  test('colors only a terminal', async () => {
    const failed = { env: { ...server.env, BURGEE_TOKEN: 'pat_wrong' } }
    expect((await run(['whoami'], { ...failed, isTerminal: true })).err).toContain('\u001b[31mError:')
    expect((await run(['whoami'], failed)).err).not.toContain('\u001b')
    const plain = { env: { ...failed.env, NO_COLOR: '1' }, isTerminal: true }
    expect((await run(['whoami'], plain)).err).not.toContain('\u001b')
  })
})
