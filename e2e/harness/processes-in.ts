import { readdir, readFile, readlink } from 'node:fs/promises'

/** The places by which PostgreSQL programs use a folder: they change to it, or receive it open. */
const PLACES = ['cwd', 'fd/3']

/** Returns the command lines of living processes that use a folder below `folder`; Linux only. */
export async function processesIn(folder: string): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(ids.map((id) => describe(id, folder)))
  return found.filter((line) => line !== null)
}

async function describe(id: string, folder: string): Promise<string | null> {
  const links = await Promise.all(PLACES.map((place) => readlink(`/proc/${id}/${place}`).catch(() => '')))
  if (!links.some((link) => link.startsWith(`${folder}/`))) return null
  // A process that has ended has no command line any more.
  const words = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
  return words === '' ? null : `${id}: ${words.split('\0').slice(0, 3).join(' ')}`
}
