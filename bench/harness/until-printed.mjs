import { createInterface } from 'node:readline'

/**
 * Resolves with the match of the first line of a child's standard output that `pattern` matches; rejects when
 * the child ends before.
 */
export function untilPrinted(child, pattern, timeoutMs) {
  const lines = []
  child.stderr?.on('data', (bytes) => lines.push(String(bytes)))
  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`${why}. It printed:\n${lines.join('\n')}`))
    const timer = setTimeout(() => fail(`nothing like ${pattern} within ${timeoutMs} ms`), timeoutMs)
    child.once('error', reject)
    child.once('exit', (code, signal) => fail(`the process ended (${code ?? signal})`))
    child.once('exit', () => clearTimeout(timer))
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      const match = pattern.exec(line)
      if (!match) return
      clearTimeout(timer)
      resolve(match)
    })
  })
}
