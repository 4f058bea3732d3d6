import { readdir, readFile, readlink } from 'node:fs/promises'

/** A folder that PostgreSQL programs work in: they change to it, or are handed it open. */
const PLACES = ['cwd', 'fd/3']

/** The command lines of living processes that work below `folder`; Linux only. */
export async function processesIn(folder: string): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(ids.map((id) => describe(id, folder)))
  return found.filter((line) => line !== null)
}

async function describe(id: string, folder: string): Promise<string | null> {
  const links = await Promise.all(PLACES.map((place) => readlink(`/proc/${id}/${place}`).catch(() => '')))
  if (!links.some((link) => link.startsWith(`${folder}/`))) return null
  // A process that ended has no command line any more.
  const words = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
  return words === '' ? null : `${id}: ${words.split('\0').slice(0, 3).join(' ')}`
}
