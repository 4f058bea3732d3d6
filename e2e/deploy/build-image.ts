import { cpSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Stage } from '../harness/open-stage.ts'
import { runCommand } from '../harness/run-language.ts'
import { ROOT } from './root.ts'

const BASE = 'docker.io/library/node:24-slim'
const IMAGE = 'localhost/burgee-test'
const PROGRAMS = ['sh', 'mkdir', 'chown', 'rm', 'env', 'id'].map((name) => `/bin/${name}`)
/** Libraries that programs load by name, or that npm's binaries need. */
const LOADED = /\/(libgcc_s|libstdc\+\+|libm|libdl|libpthread|librt|libnss_(files|dns)|libresolv)\.so\.\d+$/
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

/** A program, its arguments, and what it wrote. */
type Buildah = (...args: readonly string[]) => Promise<string>

/** Returns buildah with a store of its own, which ends with the test. */
export function openBuildah(stage: Stage): Buildah {
  const store = ['--root', stage.folder('store'), '--runroot', stage.folder('run')]
  return async (...args) => {
    const { isOk, output, errors } = await runCommand(stage, {
      program: 'buildah',
      args: [...store, ...args],
      cwd: ROOT,
    })
    if (!isOk) throw new Error(`buildah ${args[0]}: ${errors.slice(-4_000)}${output.slice(-4_000)}`)
    return output.trim()
  }
}

/** Builds the image of the Dockerfile on a base of this machine's Node, and returns its name. */
export async function buildImage(stage: Stage, buildah: Buildah): Promise<string> {
  const base = await copyNode(stage)
  const file = join(stage.folder('base-file'), 'Dockerfile')
  const certificates = existsSync(CERTIFICATES) ? ` npm_config_cafile=${CERTIFICATES}` : ''
  writeFileSync(file, `FROM scratch\nCOPY . /\nENV PATH=/usr/bin:/bin${certificates}\n`)
  await buildah('bud', '--isolation', 'chroot', '--tag', BASE, '--file', file, base)
  await buildah('bud', '--isolation', 'chroot', '--format', 'docker', '--pull-never', '--tag', IMAGE, '.')
  return IMAGE
}

/** Copies this machine's Node, npm and a shell with their libraries into a folder, as a file system. */
async function copyNode(stage: Stage): Promise<string> {
  const root = stage.folder('base')
  const npm = realpathSync(join(dirname(realpathSync(process.execPath)), '..', 'lib', 'node_modules', 'npm'))
  for (const folder of [
    'usr/bin',
    'usr/lib/node_modules',
    'etc',
    'tmp',
    'root',
    'home/node',
    'proc',
    'sys',
    'dev',
  ])
    mkdirSync(join(root, folder), { recursive: true })
  symlinkSync('usr/bin', join(root, 'bin'))
  symlinkSync('usr/lib', join(root, 'lib'))
  copyInto(root, process.execPath, '/usr/bin/node')
  for (const program of PROGRAMS) copyInto(root, program, `/usr${program}`)
  cpSync(npm, join(root, 'usr/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'))
  for (const library of await listLibraries(stage)) copyInto(root, library, library)
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n')
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n')
  if (existsSync(CERTIFICATES)) copyInto(root, CERTIFICATES, CERTIFICATES)
  return root
}

async function listLibraries(stage: Stage): Promise<string[]> {
  const cwd = stage.folder('libraries')
  const needed = await runCommand(stage, { program: 'ldd', args: [process.execPath, ...PROGRAMS], cwd })
  const cached = await runCommand(stage, { program: 'ldconfig', args: ['--print-cache'], cwd })
  const paths = (text: string) =>
    [...text.matchAll(/(\/\S+\.so[.\d]*)(?= \(|$)/gm)].map(([, path = '']) => path)
  return [...new Set([...paths(needed.output), ...paths(cached.output).filter((path) => LOADED.test(path))])]
}

function copyInto(root: string, source: string, target: string): void {
  mkdirSync(dirname(join(root, target)), { recursive: true })
  cpSync(realpathSync(source), join(root, target))
}
