/**
 * `npm run screenshots [-- page ...]`: writes a picture of every page with the demo's data, light and dark,
 * wide and narrow, to `screenshots/`, which is not committed. `--readme` also renews the pictures of the
 * README in docs/screenshots. It lists the findings of axe and fails if there are any.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { addressOf, openPage, PAGES } from '../e2e/dashboard/pages.mjs'
import { findBrowser } from './find-browser.mjs'
import { ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs'

const FOLDER = join(ROOT, 'screenshots')
const README_FOLDER = join(ROOT, 'docs', 'screenshots')
const ADMIN = { email: 'demo@example.com', password: 'demo-password' }
const VIEWS = ['light', 'dark'].flatMap((theme) => [
  { theme, width: 'wide', viewport: { width: 1440, height: 900 } },
  { theme, width: 'narrow', viewport: { width: 375, height: 812 } },
])

ensureInstalled()
await ensureBuilt()
const renewsReadme = process.argv.includes('--readme')
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const pages = PAGES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
mkdirSync(FOLDER, { recursive: true })
const folder = mkdtempSync(join(tmpdir(), 'burgee-screenshots-'))
const demo = await startDemo(folder)
const fresh = await startFresh(folder)
const browser = await launchBrowser()
const findings = []
try {
  for (const view of VIEWS) await takeView(view)
} finally {
  await browser.close()
  await Promise.all([demo.stop(), fresh.stop()])
  rmSync(folder, { recursive: true, force: true })
}
report()

/** Takes pictures of every page in one theme and width. */
async function takeView({ theme, width, viewport }) {
  /** @type {import('playwright-core').BrowserContextOptions} */
  const options = { viewport, colorScheme: theme, reducedMotion: 'reduce', deviceScaleFactor: 1 }
  const signedIn = await browser.newContext(options)
  const signedOut = await browser.newContext(options)
  const ids = await signIn(signedIn)
  for (const page of pages) {
    const tab = await (page.isSignedOut ? signedOut : signedIn).newPage()
    // The wizard needs a server before set-up.
    const address = page.name === 'setup' ? fresh.setupUrl : demo.url + addressOf(page, ids)
    await openPage(tab, address, page)
    await tab.locator('[data-status="connecting"]').waitFor({ state: 'detached' })
    await tab.screenshot({ animations: 'disabled', path: join(FOLDER, `${page.name}-${theme}-${width}.png`) })
    await checkAccessibility(tab, `${page.name}, ${theme}, ${width}`)
    await tab.close()
  }
  await signedIn.close()
  await signedOut.close()
  console.log(`${theme}, ${width}: ${pages.length} pages`)
}

async function checkAccessibility(tab, where) {
  const { AxeBuilder } = await import('@axe-core/playwright')
  const { violations } = await new AxeBuilder({ page: tab }).analyze()
  for (const { id, nodes } of violations) findings.push(`${where}: ${id} at ${nodes[0].html.slice(0, 120)}`)
  const widerPx = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (widerPx > 0) findings.push(`${where}: ${widerPx} px wider than the window`)
}

function report() {
  console.log(`The pictures are in ${FOLDER}`)
  if (renewsReadme) renewReadmePictures()
  console.log(findings.length === 0 ? 'axe found nothing' : findings.join('\n'))
  if (findings.length > 0) process.exitCode = 1
}

/** Renews the README's pictures: the files that docs/screenshots already has. */
function renewReadmePictures() {
  for (const file of readdirSync(README_FOLDER)) {
    if (existsSync(join(FOLDER, file))) copyFileSync(join(FOLDER, file), join(README_FOLDER, file))
  }
}

async function signIn(context) {
  const post = await context.request.post(`${demo.url}/api/auth/login`, { data: ADMIN })
  if (!post.ok()) throw new Error(`the demo's admin cannot sign in: ${post.status()}`)
  const get = async (path) => (await context.request.get(`${demo.url}/api/${path}`)).json()
  const [{ id: project_id }] = await get('projects')
  const environments = await get(`projects/${project_id}/environments`)
  return { project_id, environments: Object.fromEntries(environments.map(({ id, slug }) => [slug, id])) }
}

async function startDemo(data) {
  const PORT = await freePort()
  const env = { PORT, SHOP_PORT: await freePort(), DATA_DIR: join(data, 'demo') }
  const { stop } = await start([join('examples', 'demo', 'main.mjs')], env, /^Ctrl-C stops both/)
  return { url: `http://localhost:${PORT}`, stop }
}

async function startFresh(data) {
  const PORT = await freePort()
  const env = { PORT, DATA_DIR: join(data, 'fresh'), SETUP_TOKEN: 'a-token-for-pictures', LOG_LEVEL: 'error' }
  const program = join('packages', 'server', 'dist', 'bundle', 'main.js')
  const { stop } = await start([program], { ...env, COOKIE_SECURE: 'false' }, /^Burgee is listening/)
  return { setupUrl: `http://localhost:${PORT}/setup?token=${env.SETUP_TOKEN}`, stop }
}

/** Runs a program until it prints that it is ready. */
async function start(args, env, ready) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await new Promise((/** @type {(value?: unknown) => void} */ resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => ready.test(line) && resolve())
    ended.then(() => reject(new Error(`${args[0]} ended before it was ready`)))
  })
  return {
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no free port was given')
  const { port } = address
  server.close()
  await once(server, 'close')
  return String(port)
}

async function launchBrowser() {
  const { chromium } = await import('playwright-core')
  const executablePath = await findBrowser()
  return chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] })
}
