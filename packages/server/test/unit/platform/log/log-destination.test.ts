import { describe, expect, test, vi } from 'vitest'
import { createLogDestination } from '../../../../src/platform/log/log-destination.ts'

/** Creates a file descriptor that accepts, refuses or accepts a part. */
function createTarget() {
  const target = {
    text: '',
    error: null as string | null,
    takesAtMost: Number.POSITIVE_INFINITY,
    write(_fd: number, bytes: Buffer): number {
      if (target.error !== null) throw Object.assign(new Error(target.error), { code: target.error })
      const taken = bytes.subarray(0, target.takesAtMost)
      target.text += taken.toString()
      return taken.length
    },
  }
  return target
}

describe('the destination of the log', () => {
  test('the log destination writes lines at once and in order', () => {
    const target = createTarget()
    const log = createLogDestination({ fd: 1, write: target.write })
    log.write('a\n')
    expect(target.text).toBe('a\n')
    target.takesAtMost = 1
    log.write('bcd\n')
    expect(target.text).toBe('a\nbcd\n')
  })

  test('the log destination keeps lines while a pipe is full and writes them later', async () => {
    const target = createTarget()
    const log = createLogDestination({ fd: 1, write: target.write })
    target.error = 'EAGAIN'
    log.write('a\n')
    log.write('b\n')
    target.error = null
    await vi.waitFor(() => expect(target.text).toBe('a\nb\n'))
  })

  test('the log destination keeps a bounded number of bytes and writes how many lines are missing', async () => {
    const target = createTarget()
    const log = createLogDestination({ fd: 1, write: target.write })
    target.error = 'EAGAIN'
    const line = `${'x'.repeat(1_023)}\n`
    for (let count = 0; count < 1_034; count += 1) log.write(line)
    expect(log.queuedBytes()).toBe(1_024 * 1_024)
    target.error = null
    await vi.waitFor(() => expect(target.text).toContain('"dropped_lines":10'))
    expect(target.text.split('\n')).toHaveLength(1_024 + 2)
  })

  test('the log destination does not join a line that was cut off to the next one', () => {
    const target = createTarget()
    let isFull = false
    const write = (fd: number, bytes: Buffer): number => {
      if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      return target.write(fd, bytes)
    }
    const log = createLogDestination({
      fd: 1,
      write: (fd, bytes) => {
        const written = write(fd, bytes)
        isFull = written < bytes.length
        return written
      },
    })
    target.takesAtMost = 2
    log.write('abcd\n')
    isFull = false
    target.takesAtMost = Number.POSITIVE_INFINITY
    log.write('e\n')
    expect(target.text).toMatch(/^ab\n\{"level":"warn",.*"dropped_lines":1,.*\}\ne\n$/)
  })

  test.for(['ENOSPC', 'EIO', 'EPIPE'])(
    'the log destination continues after %s and writes how many lines are missing',
    (code) => {
      const target = createTarget()
      const log = createLogDestination({ fd: 1, write: target.write })
      target.error = code
      log.write('a\n')
      log.write('b\n')
      target.error = null
      log.write('c\n')
      expect(target.text).toMatch(/^\{"level":"warn",.*"dropped_lines":2,.*\}\nc\n$/)
    },
  )
})
