import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { unpackOnce } from '../scripts/find-browser.mjs'

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-unpack-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a program that several callers unpack at the same time can be started by each of them', async () => {
  const parent = aFolder()
  const unpack = async (folder: string) => {
    const file = await open(join(folder, 'chromium'), 'w', 0o700)
    for (const part of ['#!/bin/sh\n', 'echo star', 'ted\n']) {
      await file.write(part)
      await file.sync()
    }
    await file.close()
  }
  const start = async () => {
    const { stdout } = await promisify(execFile)(await unpackOnce(join(parent, 'browser'), unpack))
    return stdout
  }

  expect(await Promise.all(Array.from({ length: 8 }, start))).toEqual(Array(8).fill('started\n'))
  expect(readdirSync(parent)).toEqual(['browser'])
})

test('a failed unpacking is not taken for a browser, and does not prevent the next', async () => {
  const parent = aFolder()
  const failing = unpackOnce(join(parent, 'browser'), async (folder) => {
    await (await open(join(folder, 'chromium'), 'w')).close()
    throw new Error('the disk is full')
  })

  await expect(failing).rejects.toThrow('the disk is full')
  expect(readdirSync(parent)).toEqual([])
})
