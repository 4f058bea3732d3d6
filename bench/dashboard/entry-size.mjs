import { gzipSync } from 'node:zlib'

/** Measures the gzipped bytes of code that a browser loads before it shows any page. */
export async function entrySize(url) {
  const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
  const files = [...page.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map(([, file]) => file)
  const sizes = files.map(async (file) => {
    const bytes = await (await fetch(url + file)).arrayBuffer()
    return gzipSync(new Uint8Array(bytes), { level: 9 }).length
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
