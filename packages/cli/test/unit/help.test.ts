import { expect, test } from 'vitest'
import { pathOf } from '../../src/output/describe-usage-error.ts'
import { aProgram } from '../harness/a-program.ts'
import { run } from '../harness/run.ts'

test('every argument and option is described, with each choice once and no empty default', () => {
  const program = aProgram()
  const commands = program.commands.flatMap((command) => [command, ...command.commands])
  for (const command of [program, ...commands]) {
    const help = command.createHelp()
    const inputs = [
      ...command.registeredArguments.map((one) => ({ ...one, shown: help.argumentDescription(one) })),
      ...command.options.map((one) => ({ ...one, shown: help.optionDescription(one) })),
    ]
    for (const { argChoices = [], defaultValue, description, shown } of inputs) {
      expect(description, `${pathOf(command)}: ${shown}`).not.toBe('')
      if (typeof defaultValue !== 'string') expect(shown).not.toContain('default: ')
      // One choice may be explained, such as goff.
      const words = description.split(/[ ,:]+/)
      expect(argChoices.filter((choice) => words.includes(choice)).length, description).toBeLessThan(2)
      for (const choice of argChoices) expect(shown).toContain(choice)
    }
  }
})

test('the help groups the commands in the order in which a newcomer needs them', async () => {
  const { code, out } = await run(['--help'])
  expect(code).toBe(0)
  const headings = out.match(/^[A-Z][a-z ]*:$/gm)
  expect(headings).toEqual([
    'Options:',
    'Connect:',
    'Look:',
    'Change:',
    'Files and pipelines:',
    'Migrate:',
    'Code:',
    'Server:',
    'Help:',
  ])
  expect(out).toMatch(/Connect:\n {2}login /)
  expect(out).toMatch(/Change:\n {2}flags /)
  expect((await run(['help'])).out).toBe(out)
})

test('help prints the help of a command at any depth', async () => {
  const { out } = await run(['flags', 'create', '--help'])
  expect(out.replace(/\s+/g, ' ')).toContain(
    'type of its values: boolean, string, integer or json (default: boolean)',
  )
  expect(out).toMatch(/Arguments:\n {2}key +key of the new flag/)
  for (const line of ['help flags create', 'flags help create'])
    expect(await run(line.split(' '))).toEqual({ code: 0, out, err: '' })
})

test.each([
  ['help bogus', 'bogus', 'burgee'],
  ['help flags bogus', 'bogus', 'burgee flags'],
  ['flags help bogus', 'bogus', 'burgee flags'],
  ['help plan bogus', 'bogus', 'burgee plan'],
])('burgee %s is a usage error', async (line, name, command) => {
  const { code, err, out } = await run(line.split(' '))
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(`Error: Unknown command '${name}'.`)
  expect(err).toContain(`${command} --help lists its`)
})

test('help proposes the near name of a command', async () => {
  expect((await run(['help', 'whoam'])).err).toContain('Did you mean whoami?')
})

test.each([
  ['--url', 'BURGEE_URL'],
  ['--token', 'BURGEE_TOKEN'],
  ['--project', 'BURGEE_PROJECT'],
  ['--env', 'BURGEE_ENV'],
])('an empty %s is a usage error: %s and the login are not meant', async (option, variable) => {
  for (const value of ['', ' '])
    expect(await run(['envs', option, value], { env: { [variable]: 'given' } })).toEqual({
      code: 2,
      out: '',
      err: `Error: ${option} is empty. Give a value, or set ${variable}.\n`,
    })
})

test('an empty --sdk-key is a usage error', async () => {
  expect(await run(['doctor', '--sdk-key', ''])).toMatchObject({ code: 2, out: '' })
})

test('empty variables count as absent', async () => {
  const empty = { BURGEE_URL: '', BURGEE_TOKEN: ' ', BURGEE_PROJECT: '', BURGEE_ENV: '' }
  const absent = await run(['envs', '--url', 'http://127.0.0.1:9'])
  expect(absent.code).toBe(1)
  expect(await run(['envs', '--url', 'http://127.0.0.1:9'], { env: empty })).toEqual(absent)
  expect(await run(['login'], { env: empty })).toEqual(await run(['login']))
})
