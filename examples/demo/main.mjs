/**
 * `npm run demo`: runs a server with sample flags and the example shop. Its data stays in data/demo; Ctrl-C
 * stops both.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ensureBuilt, ensureInstalled, ROOT } from '../../scripts/prepare.mjs'
import { createRandom } from '../../scripts/random.mjs'
import { seedCredentials, seedPeople, signIn } from './people.mjs'
import { startReceiver } from './receiver.mjs'

const SDK_KEY = 'sk_live_demo_only_never_use_this_key_in_production'
const ADMIN = { email: 'demo@example.com', password: 'demo-password' }
const SERVER_URL = `http://localhost:${process.env.PORT ?? 3000}`
const SHOP_PORT = process.env.SHOP_PORT ?? '4000'
const SHOP_URL = `http://localhost:${SHOP_PORT}`
const RECEIVER_PORT = Number(SHOP_PORT) + 1
/** The seed: visitors are the same on every machine. */
const SEED = 14

ensureInstalled()
await ensureBuilt()
const children = []
const receiver = await startReceiver(RECEIVER_PORT)
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0))
try {
  await start(join('packages', 'server', 'dist', 'bundle', 'main.js'), /^Burgee is listening/, {
    NODE_ENV: 'development',
    HOST: process.env.HOST ?? 'localhost',
    COOKIE_SECURE: 'false',
    LOG_LEVEL: 'error',
    DATA_DIR: process.env.DATA_DIR ?? join(ROOT, 'data', 'demo'),
    SETUP_ADMIN_EMAIL: ADMIN.email,
    SETUP_ADMIN_PASSWORD: ADMIN.password,
    SETUP_ADMIN_NAME: 'Ada Holm',
    SETUP_WORKSPACE_NAME: 'Skerry Supply',
    SETUP_PROJECT_NAME: 'Web shop',
    SETUP_SDK_KEY: SDK_KEY,
  })
  const { project_id, environment_id } = await seed()
  await start(join('examples', 'shop', 'dist', 'main.js'), /^The shop is open/, {
    PORT: SHOP_PORT,
    HOST: process.env.HOST ?? 'localhost',
    BURGEE_URL: SERVER_URL,
    BURGEE_SDK_KEY: SDK_KEY,
  })
  explain({ project_id, environment_id })
} catch (error) {
  if (!isStopping) console.error(error.message)
  await stop(1)
}

/** Runs a program until it prints that it is ready. When it ends by itself, the demo ends. */
async function start(program, ready, env) {
  const child = spawn(process.execPath, [join(ROOT, program)], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  children.unshift({ child, ended })
  void ended.then(() => stop(1))
  await new Promise((/** @type {(value?: unknown) => void} */ resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (ready.test(line)) resolve()
      else console.log(line)
    })
    ended.then(() => reject(new Error(`${program} ended before it was ready`)))
  })
}

/** The latest program is stopped first, so that the shop can close its connection to the server. */
async function stop(code) {
  if (isStopping) return
  isStopping = true
  for (const { child, ended } of children) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  }
  receiver.close()
  process.exit(code)
}

/** Creates missing data in the workspace; returns the ids of the project and of the key's environment. */
async function seed() {
  // Imported here, because they need the built SDK.
  const { seedHistory } = await import('./history.mjs')
  const life = await import('./life.mjs')
  const headers = { authorization: `Bearer ${SDK_KEY}`, 'content-type': 'application/json' }
  const readSnapshot = () => fetch(`${SERVER_URL}/flags/snapshot`, { headers })
  const environment_id = (await readSnapshot()).headers.get('x-environment-id')
  if (environment_id === null) throw new Error('the demo key is not accepted: delete data/demo and try again')
  const admin = await signIn(SERVER_URL, ADMIN)
  const [project] = await admin('GET', 'projects')
  await seedPeople(admin, project.id, ADMIN.password)
  const list = await admin('GET', `projects/${project.id}/environments`)
  const workplace = {
    admin,
    editor: await signIn(SERVER_URL, { ...ADMIN, email: 'editor@example.com' }),
    environments: {
      project_id: project.id,
      .../** @type {{ production: any }} */ (
        Object.fromEntries(list.map((environment) => [environment.slug, environment]))
      ),
    },
    receiverUrl: receiver.url,
  }
  await seedCredentials(admin, project.id, workplace.environments)
  await life.seedReceivers(workplace)
  await life.seedFlags(workplace)
  await life.seedHistoryOfChanges(workplace)
  await life.seedPlans(workplace)
  const call = (method, path, body) => admin(method, `environments/${environment_id}/${path}`, body)
  await life.seedActivity({ ingest: call, random: createRandom(SEED) })
  await seedHistory({ call, flags: await (await readSnapshot()).json(), print: printProgress })
  return { project_id: project.id, environment_id }
}

/** Prints progress on one line of a terminal. */
function printProgress(percent) {
  const line = `Filling in the visitors of the last 30 days: ${percent}%`
  if (process.stdout.isTTY) process.stdout.write(`\r${line}${percent === 100 ? '\n' : ''}`)
  else if (percent % 10 === 0) console.log(line)
}

function explain({ project_id, environment_id }) {
  console.log(`
The shop     ${SHOP_URL}
Burgee       ${SERVER_URL}   (${ADMIN.email}, ${ADMIN.password})
The flag     ${SERVER_URL}/projects/${project_id}/environments/${environment_id}/flags/new-checkout
             a second person, to ask for changes: editor@example.com; one who may only look: viewer@example.com

Open the shop and the flag side by side. Turn the flag on and watch the shop. Or use a second terminal:

curl -X PATCH ${SERVER_URL}/api/environments/${environment_id}/flags/new-checkout \\
  -H "Authorization: Bearer ${SDK_KEY}" -H "Content-Type: application/json" \\
  -d '{"is_enabled": true}'

Other visitors: ${SHOP_URL}/?user=bo&country=NO
Ctrl-C stops both.
`)
}
