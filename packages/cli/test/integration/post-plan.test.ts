import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { type Receiver, startReceiver } from '../../../server/test/harness/start-receiver.ts'
import { run, temporaryFolder } from '../harness/run.ts'
import { type CommandServer, startCommandServer } from '../harness/start-command-server.ts'

const EVENT = new URL('../samples/pull-request-event.json', import.meta.url)
const GITLAB = new URL('../../pipelines/gitlab.yml', import.meta.url)
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

let server: CommandServer
let service: Receiver
let folder: string

beforeAll(async () => {
  server = await startCommandServer()
})
afterAll(() => server.close())

beforeEach(async () => {
  const receiver = await startReceiver()
  service = receiver
  onTestFinished(() => receiver.close())
  folder = temporaryFolder()
  writeFileSync(
    join(folder, 'flags.yaml'),
    'apiVersion: burgee/v1\nname: team\nflags: [{ key: checkout, metadata: { note: "```` @octocat" } }]\n',
  )
})

const gitHub = (): Record<string, string> => ({
  GITHUB_API_URL: service.url('').replace(/\/$/, ''),
  GITHUB_REPOSITORY: 'harbor-shop/web',
  GITHUB_EVENT_PATH: fileURLToPath(EVENT),
  GITHUB_TOKEN: 'a-token-of-the-job',
})
const LIST = '/repos/harbor-shop/web/issues/41/comments'
const PAGE = `${LIST}?per_page=100&page=1`
const plan = (env: Record<string, string>, ...args: string[]) =>
  run(['plan', '-f', 'flags.yaml', ...args], {
    cwd: folder,
    env: { ...server.env, BURGEE_ENV: 'staging', ...env },
  })
const answer = (path: string, value: unknown, status = 200) =>
  service.reply((_, response) => response.writeHead(status).end(JSON.stringify(value)), path)
/** Returns the text of the comment that was written last. */
const posted = (): string => service.received().at(-1)?.body.body

describe('plan --post github', () => {
  test('adds a comment with the plan, whose fence no flag can end', async () => {
    answer(PAGE, [])
    answer(LIST, { id: 7 }, 201)
    const { code, out, err } = await plan(gitHub(), '--post', 'github')
    expect({ code, err }).toEqual({ code: 3, err: '' })
    expect(service.received().map(({ path }) => path)).toEqual([PAGE, LIST])
    expect(service.received().at(-1)?.headers.authorization).toBe('Bearer a-token-of-the-job')
    expect(posted()).toMatch(/^<!-- burgee plan [0-9a-f]{16} -->\n### Burgee plan\n\n`{3,}text\n/)
    expect(posted()).toContain(out.trim())
    const fence = /(`{3,})text\n/.exec(posted())?.[1] ?? ''
    expect(posted().split(`\n${fence}\n`)).toHaveLength(2)
  })

  test('replaces its own comment only: somebody else could change what theirs says', async () => {
    answer(PAGE, [])
    answer(LIST, { id: 7 }, 201)
    await plan(gitHub(), '--post', 'github', '-o', 'json')
    const body = posted()
    answer(PAGE, [
      { id: 5, user: { login: 'mallory' }, body },
      { id: 6, user: { login: 'github-actions[bot]' }, body: `quoted: ${body}` },
      { id: 7, user: { login: 'github-actions[bot]' }, body },
    ])
    answer('/user', {}, 403)
    answer('/repos/harbor-shop/web/issues/comments/7', { id: 7 })
    expect(await plan(gitHub(), '--post', 'github', '-o', 'json')).toMatchObject({ code: 3, err: '' })
    expect(service.received().at(-1)?.path).toBe('/repos/harbor-shop/web/issues/comments/7')
    expect(posted()).toBe(body)
  })

  test('a token without the permission fails with advice, and the plan is printed all the same', async () => {
    answer(PAGE, [])
    answer(LIST, {}, 403)
    const refused = await plan(gitHub(), '--post', 'github')
    expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('+ flag checkout') })
    expect(refused.err).toContain(
      'GitHub responded with 403. Give the job the permission pull-requests: write',
    )
  })

  test('a redirect, a body that is no list and endless pages end', async () => {
    service.reply((_, response) => response.writeHead(302, { location: service.url('/elsewhere') }).end())
    expect((await plan(gitHub(), '--post', 'github')).err).toContain('The plan was not posted')
    expect(service.received('/elsewhere')).toHaveLength(0)
    service.reply((_, response) => response.end('{}'))
    expect((await plan(gitHub(), '--post', 'github')).err).toContain('did not respond with a list')
    const page = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id, body: 'hello' })))
    service.reply((_, response) => response.end(page))
    const before = service.received().length
    expect((await plan(gitHub(), '--post', 'github')).code).toBe(3)
    expect(service.received().length - before).toBe(11)
  })

  test.each([
    ['GITHUB_TOKEN', '', /GITHUB_TOKEN is not set/],
    ['GITHUB_REPOSITORY', '../user', /not an owner and a name/],
    ['GITHUB_REPOSITORY', 'owner/..', /not an owner and a name/],
    ['GITHUB_EVENT_PATH', '/dev/null', /cannot be read/],
    ['GITHUB_EVENT_PATH', MAIN, /is not JSON/],
    [
      'GITHUB_EVENT_PATH',
      fileURLToPath(new URL('../../package.json', import.meta.url)),
      /not one of a pull request/,
    ],
  ])('a wrong %s (%s) is refused before anything is sent', async (name, value, message) => {
    const refused = await plan({ ...gitHub(), [name]: value }, '--post', 'github')
    expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringMatching(message) })
    expect(service.received()).toEqual([])
  })
})

test('plan --post gitlab replaces the note of its own token', async () => {
  const notes = '/projects/12/merge_requests/3/notes'
  const env = {
    CI_API_V4_URL: service.url('').replace(/\/$/, ''),
    CI_PROJECT_ID: '12',
    CI_MERGE_REQUEST_IID: '3',
    GITLAB_TOKEN: 'a-project-token',
  }
  answer(`${notes}?per_page=100&page=1`, [])
  answer(notes, { id: 9 }, 201)
  expect(await plan(env, '--post', 'gitlab')).toMatchObject({ code: 3, err: '' })
  expect(service.received().at(-1)?.headers['private-token']).toBe('a-project-token')
  answer(`${notes}?per_page=100&page=1`, [{ id: 9, author: { username: 'project_12_bot' }, body: posted() }])
  answer('/user', { username: 'project_12_bot' })
  answer(`${notes}/9`, { id: 9 })
  expect(await plan(env, '--post', 'gitlab')).toMatchObject({ code: 3, err: '' })
  expect(service.received().at(-1)?.path).toBe(`${notes}/9`)
  expect(parse(readFileSync(GITLAB, 'utf8'))['burgee-plan'].script.join('\n')).toContain(
    '--post gitlab || [ $? -eq 3 ]',
  )
})
