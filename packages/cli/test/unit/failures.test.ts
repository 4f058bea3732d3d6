import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { cannotRead, cannotWrite } from '../../src/files/file-problem.ts'
import { report } from '../../src/run-command.ts'
import { run, temporaryFolder } from '../harness/run.ts'

test.each([
  ['plan', '-f'],
  ['dev', '-f'],
  ['test', '-f'],
  ['import', 'flagd'],
  ['audit', 'verify'],
  ['audit', 'verify', '--anchors'],
  ['plan', '-f', 'flags.yaml', '--users'],
])('burgee %s %s: a missing file is named once', async (...args) => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'flags.yaml'), 'flags: []')
  const { code, err, out } = await run([...args, 'gone'], { cwd })
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toBe(`Error: ${join(cwd, 'gone')} cannot be read: it does not exist.\n`)
})

test('a folder that cannot be written is named once', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'flags.json'), JSON.stringify({ flags: {} }))
  const { code, err } = await run(['import', 'flagd', 'flags.json', '--out', 'flags.json/x'], { cwd })
  expect({ code, err }).toEqual({
    code: 2,
    err: 'Error: flags.json/x cannot be written: a part of its path is a file.\n',
  })
})

test('a login file that is a folder is named, for reading and deleting', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'burgee', 'credentials.json'), { recursive: true })
  const env = { XDG_CONFIG_HOME: folder }
  for (const command of ['whoami', 'logout']) {
    const { code, err } = await run([command], { env })
    expect(code).toBe(2)
    expect(err).toMatch(/credentials\.json cannot be (?:read|written): it is a folder\.\n$/)
  }
})

test('logout says whether there was a token', async () => {
  const folder = temporaryFolder()
  const env = { XDG_CONFIG_HOME: folder }
  expect(await run(['logout'], { env })).toEqual({ code: 0, out: '', err: 'There was no stored token.\n' })
  mkdirSync(join(folder, 'burgee'))
  writeFileSync(join(folder, 'burgee', 'credentials.json'), '{}')
  expect((await run(['logout'], { env })).err).toBe('The stored token is deleted from this machine.\n')
  expect((await run(['logout'], { env })).err).toBe('There was no stored token.\n')
})

test.each([
  ['EACCES', 'this account may not', 2],
  ['EISDIR', 'it is a folder', 2],
  ['EROFS', 'the disk is read-only', 2],
  ['ENOSPC', 'the disk is full', 1],
  ['EIO', 'the disk failed', 1],
  ['EODD', 'the system refused it (EODD)', 2],
])('the code %s of the system becomes words', (code, words, exitCode) => {
  const error = Object.assign(new Error(`${code}: raw text, open '/x'`), {
    code,
    path: '/x',
    syscall: 'open',
  })
  for (const failure of [cannotRead('/x', error), cannotWrite('/x', error)]) {
    expect(failure.message).toContain(words)
    expect(failure.message.match(/\/x/g)).toHaveLength(1)
    expect(failure.message).not.toContain('raw text')
    expect(failure.exitCode).toBe(exitCode)
  }
  expect(reported(error)).toContain(words)
})

test('an unexpected error is a sentence, with its stack only for BURGEE_DEBUG', () => {
  const error = new TypeError('x is not a function\nsecond line')
  expect(reported(error)).toMatch(
    /^Error: This is a fault of burgee: x is not a function\n {2}BURGEE_DEBUG=1 .*\n$/,
  )
  expect(reported(error, { BURGEE_DEBUG: '1' })).toContain('failures.test.ts')
  expect(reported('text')).toContain('This is a fault of burgee: text\n')
})

/** Returns what is printed about an error. */
function reported(error: unknown, env: Readonly<Record<string, string>> = {}): string {
  const chunks: string[] = []
  const write = (chunk: Buffer, _: string, done: () => void) => {
    chunks.push(String(chunk))
    done()
  }
  expect([1, 2]).toContain(report(error, { env, stderr: new Writable({ write }) }))
  return chunks.join('')
}
