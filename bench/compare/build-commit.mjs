import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from '../harness/paths.mjs'
import { npmStartOnce } from '../harness/start-server.mjs'

/** The lines of a failed command that are shown. */
const SHOWN_LINES = 20
const OUTPUT_BYTES = 64 * 1024 * 1024

/** The folder of a commit's build: a folder that exists is complete. */
export const cacheFolder = (commit, root = ROOT) => join(root, 'node_modules', '.cache', 'bench', commit)

/** Returns the whole name of a commit; throws where the checkout does not have it. */
export function resolveCommit(name, root = ROOT) {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  const { status, stdout } = git('rev-parse', '--show-toplevel')
  if (status !== 0 || realpathSync(stdout.trim()) !== realpathSync(root))
    throw new Error(`There is no history here: comparing with ${name} needs a clone of the repository.`)
  const found = git('rev-parse', '--verify', '--quiet', `${name}^{commit}`)
  if (found.status !== 0) throw new Error(`The history here has no commit ${name}.`)
  return found.stdout.trim()
}

/**
 * Builds a commit by its own scripts and its own lock file, once: returns the folder. It is built outside of
 * `node_modules`, whose files compilers treat as those of others, and started once, because a start may
 * complete the build.
 */
export async function buildCommit(commit, progress) {
  const folder = cacheFolder(commit)
  if (existsSync(folder)) return folder
  const draft = await mkdtemp(join(tmpdir(), 'burgee-bench-build-'))
  try {
    progress(`building ${commit}, once`)
    const archive = join(draft, 'sources.tar')
    const sources = join(draft, 'sources')
    await mkdir(sources)
    run('git', ['archive', '--output', archive, commit], ROOT)
    run('tar', ['-xf', archive, '-C', sources], ROOT)
    run('npm', ['run', 'build'], sources)
    await npmStartOnce(sources, join(draft, 'data'))
    await mkdir(dirname(folder), { recursive: true })
    run('mv', [sources, folder], ROOT)
    return folder
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

function run(command, args, cwd) {
  const env = { ...process.env, NPM_CONFIG_PREFER_OFFLINE: 'true' }
  const { error, output, status } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES,
  })
  if (status === 0) return
  const lines = (output ?? []).join('\n').trimEnd().split('\n').slice(-SHOWN_LINES)
  throw new Error(
    [`${command} ${args.join(' ')} failed in ${cwd}: ${error?.message ?? ''}`, ...lines].join('\n'),
  )
}
