import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { run, temporaryFolder } from '../harness/run.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

const scripts = new Map<Shell, string>()
beforeAll(async () => {
  for (const shell of SHELLS) scripts.set(shell, (await run(['completion', shell])).out)
})

const quoted = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')

/** Runs the function of a script as its shell does at a TAB after the last word. */
const PROGRAMS: Readonly<Record<Shell, (script: string, words: readonly string[]) => string>> = {
  // Bash splits words at = and : and hands the parts to the function.
  bash: (script, words) => {
    const parts = words.flatMap((word) => (word === '' ? [''] : word.split(/([=:]+)/).filter(Boolean)))
    return `${script}\nCOMP_WORDS=(${quoted(parts)}); COMP_CWORD=${parts.length - 1}; _burgee; printf '%s\\n' "\${COMPREPLY[@]}"`
  },
  // Outside of a completion zsh has no compadd: the candidates are printed, and filtered as zsh does.
  zsh: (script, words) => `compdef() { :; }
${script}
words=(${quoted(words)}); CURRENT=${words.length}; PREFIX=\${words[-1]}
compset() { PREFIX=\${PREFIX#*=}; }
compadd() { shift; local each; for each in "$@"; do [[ $each == "$PREFIX"* ]] && print -r -- $each; done; }
_files() { [[ $1 == -/ ]] && print -rl -- \${PREFIX}*(N/) || print -rl -- \${PREFIX}*(N); }
_burgee`,
  fish: (script, words) =>
    `${script}\ncomplete -C ${quoted([words.join(' ')])} | string replace -r '\\t.*' ''`,
}

function complete(shell: Shell, line: string, cwd: string): string[] {
  const program = PROGRAMS[shell](scripts.get(shell) ?? '', line.split(' '))
  const flags = { bash: ['--norc'], zsh: ['-f'], fish: ['--no-config'] }[shell]
  const { stderr, stdout } = spawnSync(shell, [...flags, '-c', program], { cwd, encoding: 'utf8' })
  expect(stderr, `${shell}: ${line}`).toBe('')
  const ends = stdout
    .trim()
    .split('\n')
    .map((word) => word.replace(/\/$/, ''))
  // Fish repeats what stands before the value.
  return ends.map((word) => (shell === 'fish' ? word.replace(/^--[\w-]+=/, '') : word)).sort()
}

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ['burgee wh', ['whoami']],
  ['burgee flags en', ['enable']],
  ['burgee --quiet apply --pru', ['--prune']],
  ['burgee apply --u', ['--url']],
  // The value of an option is no part of the command.
  ['burgee --project flags keys ', ['create', 'list']],
  ['burgee --url http://localhost:3000 flags en', ['enable']],
  ['burgee -q --env=staging flags en', ['enable']],
  ['burgee flags enable --comment wait... --com', ['--comment']],
  ['burgee -o ', ['json', 'text', 'yaml']],
  ['burgee flags list --output y', ['yaml']],
  ['burgee flags list --output=j', ['json']],
  ['burgee test -o j', ['json', 'junit']],
  ['burgee flags create new --type ', ['boolean', 'integer', 'json', 'string']],
  ['burgee plan --post git', ['github', 'gitlab']],
  ['burgee import ', ['configcat', 'flagd', 'flagsmith', 'goff', 'growthbook', 'launchdarkly', 'unleash']],
  ['burgee completion ', ['bash', 'fish', 'zsh']],
  // Files where files are expected, folders where folders are, nothing for a text.
  ['burgee import flagd fl', ['flags', 'flags.yaml']],
  ['burgee import flagd flags.yaml fl', ['flags', 'flags.yaml']],
  ['burgee apply -f flags.yaml fl', ['flags', 'flags.yaml']],
  ['burgee apply -f flags.yaml --pru', ['--prune']],
  ['burgee restore fl', ['flags', 'flags.yaml']],
  ['burgee generate --out fl', ['flags']],
  ['burgee usages fl', ['flags']],
  ['burgee --token fl', ['']],
]

describe.each(SHELLS)('%s', (shell) => {
  const isMissing = spawnSync(shell, ['--version']).error !== undefined
  test.skipIf(isMissing)(`completes commands, options and values (needs ${shell})`, () => {
    const cwd = temporaryFolder()
    mkdirSync(join(cwd, 'flags'))
    writeFileSync(join(cwd, 'flags.yaml'), '')
    for (const [line, words] of CASES) expect([line, ...complete(shell, line, cwd)]).toEqual([line, ...words])
    expect(complete(shell, 'burgee ', cwd)).toContain('apply')
    expect(complete(shell, 'burgee flags list --', cwd)).toEqual(
      [
        '--archived',
        '--env',
        '--output',
        '--project',
        '--quiet',
        '--search',
        '--tag',
        '--token',
        '--url',
      ].concat('--version'),
    )
  })
})

test('another shell is refused with those that have a script', async () => {
  expect(await run(['completion', 'tcsh'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('Allowed choices are bash, zsh, fish.'),
  })
})
