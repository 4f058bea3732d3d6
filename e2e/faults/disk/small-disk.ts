import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { errorCode } from '../../../packages/server/src/platform/error-code.ts'

/** Mounts a small file system on the folder `$0` that only the program sees, which the rest of the line runs. */
const MOUNT = 'mount -t tmpfs -o size=$1,mode=711 none "$0" && shift'

/** Why a program cannot be given a file system of its own here; null when it can. */
export function whyNoSmallDisk(): string | null {
  const { status } = spawnSync('unshare', ['-m', 'sh', '-c', MOUNT, '/mnt', '1m'])
  return status === 0 ? null : 'mounting a file system needs root on Linux'
}

/** A launcher that gives a program a file system of `size` ("160m") on `folder`. `redirect` may send its output there. */
export function onSmallDisk(folder: string, size: string, redirect = ''): readonly string[] {
  return ['unshare', '-m', 'sh', '-c', `${MOUNT} && exec "$@" ${redirect}`, folder, size]
}

/** A path as a process sees it that has file systems of its own. */
export const seenBy = (pid: number, path: string): string => `/proc/${pid}/root${path}`

/** Fills the file system of a folder to the last byte. Gives the function that frees it. */
export function fillDisk(folder: string): () => void {
  const filler = `${folder}/filler`
  const file = openSync(filler, 'w')
  for (const size of [1024 * 1024, 4096, 1]) writeUntilFull(file, Buffer.alloc(size, 'x'))
  closeSync(file)
  return () => rmSync(filler)
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    while (writeSync(file, bytes) > 0);
  } catch (error) {
    if (errorCode(error) !== 'ENOSPC') throw error
  }
}
