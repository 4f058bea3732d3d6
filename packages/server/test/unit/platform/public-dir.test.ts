import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resolvePublicDir } from '../../../src/platform/public-dir.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'burgee-')))
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

describe('PUBLIC_DIR', () => {
  it('PUBLIC_DIR is relative to the working folder', () => {
    mkdirSync(join(folder, 'public'))
    expect(resolvePublicDir('public')).toBe(join(folder, 'public'))
  })

  it("PUBLIC_DIR is the server's own folder when the default does not exist", () => {
    expect(resolvePublicDir('public')).toBe(fileURLToPath(new URL('../../../public', import.meta.url)))
  })

  it('PUBLIC_DIR is used as it was set, existing or not', () => {
    expect(resolvePublicDir('site')).toBe(join(folder, 'site'))
    expect(resolvePublicDir('/srv/site')).toBe('/srv/site')
  })
})
