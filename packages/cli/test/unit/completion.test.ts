import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { run } from '../harness/run.ts'

const complete = (script: string, words: readonly string[]): string[] => {
  const line = words.map((word) => JSON.stringify(word)).join(' ')
  const program = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _burgee; printf '%s\\n' "\${COMPREPLY[@]}"`
  return spawnSync('bash', ['-c', program], { encoding: 'utf8' }).stdout.trim().split('\n')
}

test('bash completes commands, subcommands and options', async () => {
  const { out } = await run(['completion', 'bash'])
  expect(complete(out, ['burgee', 'wh'])).toEqual(['whoami'])
  expect(complete(out, ['burgee', 'flags', 'en'])).toEqual(['enable'])
  expect(complete(out, ['burgee', '--quiet', 'apply', '--pru'])).toEqual(['--prune'])
  expect(complete(out, ['burgee', 'apply', '--u'])).toEqual(['--url'])
})

test('zsh and fish have scripts, another shell is refused', async () => {
  expect((await run(['completion', 'zsh'])).out).toContain('"flags enable")')
  expect((await run(['completion', 'fish'])).out).toContain('__fish_seen_subcommand_from enable')
  expect(await run(['completion', 'tcsh'])).toMatchObject({ code: 2 })
})
