import { execFile } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import type { Stage } from './open-stage.ts'
import { runProcess } from './run-process.ts'

const execFileAsync = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The folders that an example makes when somebody starts it in its place. */
const MADE = /^(node_modules|\.next|\.venv|dist)$/
/** The variables that package managers need: where registries and caches are. */
const NEEDED =
  /^(HOME|npm_config_(registry|userconfig|cache|cafile)|PIP_.*|GO.*|XDG_.*|SSL_.*|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|PYENV_.*)$/i

/** Settings for package managers: what was fetched before is not looked up again. */
const PREFER_CACHES = { NPM_CONFIG_PREFER_OFFLINE: 'true', NEXT_TELEMETRY_DISABLED: '1' }

/** A running example. */
interface RunningExample {
  readonly url: string
  stop(): Promise<void>
}

/**
 * Copies an example into a folder of its own, with the packages of Burgee as they would be published, and
 * starts it with one command.
 */
export async function startExample(
  stage: Stage,
  name: string,
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<RunningExample> {
  const folder = join(stage.folder('examples'), name)
  // A repeated test starts from the beginning.
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(ROOT, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !MADE.test(basename(path)),
  })
  await usePackedPackages(stage, join(folder, 'package.json'))
  const port = await freePort()
  const program = runProcess(stage, command, {
    args,
    cwd: folder,
    env: { ...PREFER_CACHES, ...neededVariables(), ...env, PORT: String(port) },
    isGroup: true,
  })
  await program.line(/(listens on|Local: .*) *http:\/\/localhost/)
  return {
    url: `http://localhost:${port}`,
    async stop() {
      program.kill('SIGTERM')
      await program.exited
    },
  }
}

export const neededVariables = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) =>
      NEEDED.test(key) && value !== undefined ? [[key, value]] : [],
    ),
  )

/** The tarballs of the packages, by their folder: each is packed once for a stage. */
const packed = new WeakMap<Stage, Map<string, Promise<string>>>()

/** Replaces the folders of this repository by tarballs, which a registry would have. */
async function usePackedPackages(stage: Stage, manifest: string): Promise<void> {
  if (!existsSync(manifest)) return
  const text = readFileSync(manifest, 'utf8')
  const tarballs = packed.get(stage) ?? new Map<string, Promise<string>>()
  packed.set(stage, tarballs)
  let replaced = text
  for (const [address, folder = ''] of text.matchAll(/file:\.\.\/\.\.\/packages\/([\w-]+)/g)) {
    const tarball = tarballs.get(folder) ?? pack(stage.folder('tarballs'), folder)
    tarballs.set(folder, tarball)
    replaced = replaced.replace(`"${address}"`, JSON.stringify(`file:${await tarball}`))
  }
  writeFileSync(manifest, replaced)
}

async function pack(destination: string, folder: string): Promise<string> {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', destination]
  const { stdout } = await execFileAsync('npm', args, { cwd: join(ROOT, 'packages', folder) })
  return join(destination, stdout.trim())
}
