import type { createServer } from 'node:http'

type RequestListener = NonNullable<Parameters<typeof createServer>[1]>

/**
 * Returns a listener that takes the base path from the address of a request, before anything reads it. An
 * address without it stays: proxies that remove it, and checks of the container, send such ones.
 */
export function removeBasePath(basePath: string, listener: RequestListener): RequestListener {
  if (basePath === '') return listener
  return (request, response) => {
    const { url = '' } = request
    const next = url[basePath.length]
    if (url.startsWith(basePath) && (next === undefined || next === '/' || next === '?'))
      request.url = next === '/' ? url.slice(basePath.length) : `/${url.slice(basePath.length)}`
    listener(request, response)
  }
}
