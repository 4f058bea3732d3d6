import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateManifest, generateOpenFeature, generateTypes } from '@burgee/contract'
import { expect, test } from 'vitest'
import { FLAGS, flagOf, NOW } from '../../../contract/test/unit/generate/flag-examples.ts'
import { temporaryFolder } from '../harness/run.ts'
import { COMPILERS, createPrograms, expectCompiled } from '../harness/typed-programs.ts'

test.each(Object.keys(COMPILERS) as (keyof typeof COMPILERS)[])(
  'programs with the generated types compile with %s where they are right, and not where they are wrong',
  { timeout: 120_000 },
  (compiler) => {
    const flags = [
      ...FLAGS.filter(({ key }) => key !== 'seats'),
      flagOf({ key: 'seats', flag_type: 'integer', default_value: 5, disabled_value: null }),
    ]
    const folder = createPrograms()
    try {
      const types = generateTypes(flags, { now: NOW, strict: true })
      writeFileSync(join(folder, 'burgee.gen.ts'), types)
      writeFileSync(join(folder, 'openfeature.gen.d.ts'), generateOpenFeature(flags))
      expectCompiled(compiler, folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)

const LANGUAGES = ['angular', 'csharp', 'go', 'java', 'nestjs', 'nodejs', 'python', 'react']
const isInstalled = spawnSync('openfeature', ['version']).status === 0
const REASON = 'the OpenFeature command line is not installed'

for (const language of LANGUAGES)
  test(`the OpenFeature command line generates a client for ${language} from the manifest`, ({ skip }) => {
    if (!isInstalled) skip(REASON)
    const folder = temporaryFolder()
    const manifest = join(folder, 'flags.json')
    writeFileSync(manifest, JSON.stringify(generateManifest(FLAGS)))
    const output = join(folder, 'client')
    const made = spawnSync('openfeature', ['generate', language, '--manifest', manifest, '--output', output])
    expect(made.status, String(made.stderr)).toBe(0)
    expect(readdirSync(output)).not.toEqual([])
  })
