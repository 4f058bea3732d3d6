/**
 * `npm run admin -- <command>`: runs a command of the operator beside the server, with the server's settings.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs'

ensureInstalled()
await ensureBuilt()
const program = join(ROOT, 'packages', 'server', 'dist', 'bundle', 'admin.js')
const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' })
process.exitCode = status ?? 1
