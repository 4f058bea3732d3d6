import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Stage } from '../harness/open-stage.ts'
import { missingRegistry, runCommand } from '../harness/run-language.ts'

const VERSION = 'v3.22.0'

type Found = { readonly program: string } | { readonly missing: string }

/** Finds helm, or builds it from the Go module proxy, once for a machine. */
export async function findHelm(stage: Stage): Promise<Found> {
  const cwd = stage.folder('helm')
  if ((await runCommand(stage, { program: 'helm', args: ['version'], cwd })).isOk) return { program: 'helm' }
  const folder = join(homedir(), '.cache', 'burgee-tools')
  const program = join(folder, `helm-${VERSION}`, 'helm')
  if (existsSync(program)) return { program }
  const built = await runCommand(stage, {
    program: 'go',
    args: ['install', `helm.sh/helm/v3/cmd/helm@${VERSION}`],
    cwd,
    env: { GOBIN: join(folder, `helm-${VERSION}`), GOFLAGS: '-trimpath -ldflags=-w' },
  })
  if (built.isOk) return { program }
  if (built.errors.includes('ENOENT')) return { missing: 'neither helm nor go is installed' }
  const reason = missingRegistry(built)
  if (reason === null) throw new Error(`helm could not be built: ${built.errors}`)
  return { missing: `the Go module proxy does not serve helm: ${reason}` }
}
