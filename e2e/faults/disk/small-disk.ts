import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { errorCode } from '../../../packages/server/src/platform/log/error-code.ts'

/**
 * Mounts a small file system on the folder `$0`, visible only to the program that the rest of the line runs.
 */
const MOUNT = 'mount -t tmpfs -o size=$1,mode=711 none "$0" && shift'

/** Returns why a program cannot have its own file system here; null when it can. */
export function whyNoSmallDisk(): string | null {
  const { status } = spawnSync('unshare', ['-m', 'sh', '-c', MOUNT, '/mnt', '1m'])
  return status === 0 ? null : 'mounting a file system needs root on Linux'
}

/**
 * Returns a launcher that gives a program a file system of `size` ("160m") on `folder`. `redirect` may send
 * its output there.
 */
export function onSmallDisk(folder: string, size: string, redirect = ''): readonly string[] {
  return ['unshare', '-m', 'sh', '-c', `${MOUNT} && exec "$@" ${redirect}`, folder, size]
}

/** Returns a path as a process with its own file systems sees it. */
export const seenBy = (pid: number, path: string): string => `/proc/${pid}/root${path}`

/** Fills the file system of a folder to the last byte. Returns the function that frees it. */
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
