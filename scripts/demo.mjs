/** `npm run demo`: a server with sample flags and the example shop. Its data stays in data/demo; Ctrl-C stops both. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs'

const SDK_KEY = 'sk_live_demo_only_never_use_this_key_in_production'
const ADMIN = { email: 'demo@example.com', password: 'demo-password' }
const SERVER_URL = `http://localhost:${process.env.PORT ?? 3000}`
const SHOP_PORT = process.env.SHOP_PORT ?? '4000'
const SHOP_URL = `http://localhost:${SHOP_PORT}`

const FLAGS = [
  {
    key: 'new-checkout',
    description: 'One button instead of four steps',
    is_enabled: false,
    tags: ['checkout'],
  },
  {
    key: 'banner-colour',
    description: 'Which banner sells best?',
    is_enabled: true,
    flag_type: 'string',
    default_value: 'sea',
    disabled_value: 'sea',
    variants: ['sea', 'coral', 'meadow'].map((value) => ({ weight: 1, value })),
    tags: ['experiment'],
  },
  {
    key: 'free-shipping-threshold',
    description: 'Orders from this price on are sent free, in euros',
    is_enabled: true,
    flag_type: 'integer',
    default_value: 60,
    disabled_value: 60,
    rules: [{ attribute: 'country', operator: 'equals', values: ['NO'], variant: 40 }],
    tags: ['shipping'],
  },
]

ensureInstalled()
ensureBuilt()
const children = []
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0))
try {
  await start(join('packages', 'server', 'dist', 'bundle', 'main.js'), /^Burgee is listening/, {
    NODE_ENV: 'development',
    COOKIE_SECURE: 'false',
    LOG_LEVEL: 'error',
    DATA_DIR: join(ROOT, 'data', 'demo'),
    SETUP_ADMIN_EMAIL: ADMIN.email,
    SETUP_ADMIN_PASSWORD: ADMIN.password,
    SETUP_WORKSPACE_NAME: 'Skerry Supply',
    SETUP_PROJECT_NAME: 'Web shop',
    SETUP_SDK_KEY: SDK_KEY,
  })
  const environment_id = await seed()
  await start(join('examples', 'shop', 'dist', 'main.js'), /^The shop is open/, {
    PORT: SHOP_PORT,
    BURGEE_URL: SERVER_URL,
    BURGEE_SDK_KEY: SDK_KEY,
  })
  explain(environment_id)
} catch (error) {
  if (!isStopping) console.error(error.message)
  await stop(1)
}

/** Runs a program until it says that it is ready. When it ends by itself, so does the demo. */
async function start(program, ready, env) {
  const child = spawn(process.execPath, [join(ROOT, program)], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  children.unshift({ child, ended })
  void ended.then(() => stop(1))
  await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (ready.test(line)) resolve()
      else console.log(line)
    })
    ended.then(() => reject(new Error(`${program} ended before it was ready`)))
  })
}

/** The latest started first: the shop still says goodbye to the server. */
async function stop(code) {
  if (isStopping) return
  isStopping = true
  for (const { child, ended } of children) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  }
  process.exit(code)
}

/** Fills the key's own environment with what is not there yet; gives its id. */
async function seed() {
  // Only now: it needs the built SDK.
  const { EXPERIMENT_FLAGS, seedHistory } = await import('./demo-history.mjs')
  const headers = { authorization: `Bearer ${SDK_KEY}`, 'content-type': 'application/json' }
  const readSnapshot = () => fetch(`${SERVER_URL}/flags/snapshot`, { headers })
  const environment_id = (await readSnapshot()).headers.get('x-environment-id')
  if (environment_id === null) throw new Error('the demo key is not accepted: delete data/demo and try again')
  const call = async (method, path, body) => {
    const url = `${SERVER_URL}/api/environments/${environment_id}/${path}`
    const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    if (answer.status === 404) return null
    if (!answer.ok)
      throw new Error(`the demo could not be filled: ${method} ${path} answered ${answer.status} ${text}`)
    return text ? JSON.parse(text) : {}
  }
  for (const flag of [...FLAGS, ...EXPERIMENT_FLAGS]) {
    if (!(await call('GET', `flags/${flag.key}`))) await call('POST', 'flags', flag)
  }
  const flags = await (await readSnapshot()).json()
  await seedHistory({ call, flags, print: printProgress })
  return environment_id
}

/** On a terminal one line that changes. */
function printProgress(percent) {
  const line = `Filling in the visitors of the last 30 days: ${percent} %`
  if (process.stdout.isTTY) process.stdout.write(`\r${line}${percent === 100 ? '\n' : ''}`)
  else if (percent % 10 === 0) console.log(line)
}

function explain(environment_id) {
  console.log(`
The shop     ${SHOP_URL}
Burgee       ${SERVER_URL}   (${ADMIN.email}, ${ADMIN.password})
Experiments  ${SERVER_URL}/api/environments/${environment_id}/experiments

Open the shop, then switch its new checkout on from a second terminal and watch the page:

curl -X PATCH ${SERVER_URL}/api/environments/${environment_id}/flags/new-checkout \\
  -H "Authorization: Bearer ${SDK_KEY}" -H "Content-Type: application/json" \\
  -d '{"is_enabled": true}'

Other visitors: ${SHOP_URL}/?user=bo&country=NO
Ctrl-C stops both.
`)
}
