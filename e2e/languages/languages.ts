import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from '../harness/run-language.ts'

/** A program in a language with the official OFREP provider, and how it is built and run. */
export interface Language {
  readonly name: string
  /** A command that fails without the toolchain. */
  readonly toolchain: Omit<Command, 'cwd'>
  /**
   * Returns the commands that fetch and build. What the toolchain keeps between runs (fetched packages,
   * compiled dependencies) stays in its own caches; the rest is below a temporary folder.
   */
  readonly prepare: (temporary: string) => readonly Command[]
  readonly run: (temporary: string) => Command
  /** The results that the provider cannot represent. */
  readonly lacks: readonly Lack[]
}

/** Evaluations whose result the provider cannot represent, with the reason. */
interface Lack {
  readonly reason: string
  readonly fits: (result: ExpectedResult) => boolean
  /** The fields that differ; all others are compared. */
  readonly fields: readonly (keyof ComparedResult)[]
}

/** A result as the programs print it. */
export interface ComparedResult {
  readonly value: unknown
  readonly variant: string | null
  readonly reason: string
  readonly errorCode: string | null
}

export interface ExpectedResult extends ComparedResult {
  readonly type: string
  /** True when the value is left to the default in the code. */
  readonly isCodeDefault: boolean
}

const folderOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const python: Language = {
  name: 'Python',
  toolchain: { program: 'python3', args: ['-m', 'pip', '--version'] },
  prepare: (temporary) => {
    const target = ['--no-compile', '--target', join(temporary, 'packages')]
    const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', ...target, '-r', 'requirements.txt']
    return [{ program: 'python3', args, cwd: folderOf('python') }]
  },
  run: (temporary) => ({
    program: 'python3',
    args: ['-B', 'evaluate.py'],
    cwd: folderOf('python'),
    env: { PYTHONPATH: join(temporary, 'packages') },
  }),
  lacks: [
    {
      reason: 'True is an integer of Python, and the provider accepts it as one',
      fits: ({ errorCode, type }) => errorCode === 'TYPE_MISMATCH' && type === 'integer',
      fields: ['value', 'variant', 'reason', 'errorCode'],
    },
  ],
}

const go: Language = {
  name: 'Go',
  toolchain: { program: 'go', args: ['version'] },
  prepare: (temporary) => [
    { program: 'go', args: ['build', '-o', join(temporary, 'evaluate'), '.'], cwd: folderOf('go') },
  ],
  run: (temporary) => ({ program: join(temporary, 'evaluate'), args: [], cwd: temporary }),
  lacks: [
    {
      reason: 'provider 0.1.7 takes a result without a value for one of another type, unless it is disabled',
      fits: ({ isCodeDefault, reason }) => isCodeDefault && reason !== 'DISABLED',
      fields: ['variant', 'reason', 'errorCode'],
    },
    {
      reason: 'every value is an object for the Go SDK',
      fits: ({ errorCode, type }) => errorCode === 'TYPE_MISMATCH' && type === 'object',
      fields: ['value', 'variant', 'reason', 'errorCode'],
    },
  ],
}

const java: Language = {
  name: 'Java',
  toolchain: { program: 'mvn', args: ['--version'] },
  prepare: (temporary) => [
    {
      program: 'mvn',
      args: [
        ...['-B', '-q'],
        `-DbuildDirectory=${join(temporary, 'target')}`,
        'compile',
        'org.apache.maven.plugins:maven-dependency-plugin:3.7.0:build-classpath',
        `-Dmdep.outputFile=${join(temporary, 'classpath')}`,
      ],
      cwd: folderOf('java'),
    },
  ],
  run: (temporary) => ({
    program: 'sh',
    args: ['-c', `exec java -cp "${temporary}/target/classes:$(cat ${temporary}/classpath)" Evaluate`],
    cwd: temporary,
  }),
  lacks: [
    {
      reason: 'provider 0.0.1 takes a result without a value for an unknown flag',
      fits: ({ isCodeDefault }) => isCodeDefault,
      fields: ['variant', 'reason', 'errorCode'],
    },
    {
      reason: 'every value is a Value for the Java SDK',
      fits: ({ errorCode, type }) => errorCode === 'TYPE_MISMATCH' && type === 'object',
      fields: ['value', 'variant', 'reason', 'errorCode'],
    },
  ],
}

/** A folder of compiled dependencies, which take most of a minute. Cargo rebuilds what changes. */
const RUST_TARGET = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'burgee-tests/rust-target')

const cargo = (command: string): Command => ({
  program: 'cargo',
  args: [command, '--locked', '--quiet', '--target-dir', RUST_TARGET],
  cwd: folderOf('rust'),
})

const rust: Language = {
  name: 'Rust',
  toolchain: { program: 'cargo', args: ['--version'] },
  prepare: () => [cargo('build')],
  run: () => cargo('run'),
  lacks: [
    {
      reason: 'open-feature-ofrep 0.1.2 cannot read a result without a value',
      fits: ({ isCodeDefault }) => isCodeDefault,
      fields: ['variant', 'reason', 'errorCode'],
    },
    {
      reason: 'open-feature-ofrep 0.1.2 has PARSE_ERROR for a value of another type',
      fits: ({ errorCode }) => errorCode === 'TYPE_MISMATCH',
      fields: ['errorCode'],
    },
    {
      reason: 'open-feature-ofrep 0.1.2 gives STATIC for every result',
      fits: ({ errorCode }) => errorCode === null,
      fields: ['reason'],
    },
  ],
}

const javascript = (name: string, file: string, lacks: readonly Lack[]): Language => ({
  name,
  toolchain: { program: process.execPath, args: ['--version'] },
  prepare: () => [],
  run: () => ({ program: process.execPath, args: [file], cwd: folderOf('javascript') }),
  lacks,
})

export const LANGUAGES: readonly Language[] = [
  javascript('JavaScript on a server', 'server.mjs', [
    {
      reason: 'ofrep-provider 0.1.3 refuses a result without a value',
      fits: ({ isCodeDefault }) => isCodeDefault,
      fields: ['variant', 'reason', 'errorCode'],
    },
  ]),
  javascript('JavaScript in browsers', 'web.mjs', []),
  python,
  go,
  java,
  rust,
]
