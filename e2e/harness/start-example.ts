import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'
import type { Stage } from './open-stage.ts'
import { runProcess } from './run-process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The folders that an example makes when somebody starts it in its place. */
const MADE = /^(node_modules|\.next|\.venv|dist)$/
/** The variables that package managers need: where registries and caches are. */
const NEEDED =
  /^(HOME|npm_config_(registry|userconfig|cache|cafile)|PIP_.*|GO.*|XDG_.*|SSL_.*|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|PYENV_.*)$/i

/**
 * Copies an example into a folder of its own, with the packages of Burgee as they would be published, and
 * starts it with one command. Returns its address.
 */
export async function startExample(
  stage: Stage,
  name: string,
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = join(stage.folder('examples'), name)
  cpSync(join(ROOT, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !MADE.test(basename(path)),
  })
  usePackedPackages(stage, join(folder, 'package.json'))
  const port = await freePort()
  const program = runProcess(stage, command, {
    args,
    cwd: folder,
    env: { ...neededVariables(), ...env, PORT: String(port) },
    isGroup: true,
  })
  onTestFinished(async () => {
    program.kill('SIGTERM')
    await program.exited
  })
  await program.line(/(listens on|Local: .*) *http:\/\/localhost/)
  return `http://localhost:${port}`
}

export const neededVariables = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) =>
      NEEDED.test(key) && value !== undefined ? [[key, value]] : [],
    ),
  )

/** Replaces the folders of this repository by tarballs, which a registry would have. */
function usePackedPackages(stage: Stage, manifest: string): void {
  let text: string
  try {
    text = readFileSync(manifest, 'utf8')
  } catch {
    return
  }
  const tarballs = stage.folder('tarballs')
  mkdirSync(tarballs, { recursive: true })
  const packed = text.replaceAll(/"file:\.\.\/\.\.\/packages\/([\w-]+)"/g, (_, folder: string) => {
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', tarballs]
    const file = execFileSync('npm', args, { cwd: join(ROOT, 'packages', folder), encoding: 'utf8' }).trim()
    return JSON.stringify(`file:${join(tarballs, file)}`)
  })
  writeFileSync(manifest, packed)
}
