import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Client } from '@burgee/sdk'
import { makeOffer } from './offer.ts'
import { renderPage } from './render-page.ts'
import { renderShop } from './render-shop.ts'
import { readVisitor, type Visitor } from './visitor.ts'

/**
 * Creates the shop's web server: `/` responds with the page, and `/events` sends its new contents each time
 * that flags change.
 */
export function createShop(flags: Client): Server {
  const watchers = new Map<ServerResponse, Visitor>()

  function render(visitor: Visitor): string {
    return renderShop(visitor, makeOffer(flags, visitor), flags.status.state === 'live')
  }

  function send(response: ServerResponse, visitor: Visitor): void {
    response.write(`event: shop\ndata: ${JSON.stringify(render(visitor))}\n\n`)
  }

  function watch(request: IncomingMessage, response: ServerResponse, visitor: Visitor): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    watchers.set(response, visitor)
    request.once('close', () => watchers.delete(response))
    // Flags may have changed since the page was rendered.
    send(response, visitor)
  }

  for (const event of ['ready', 'update', 'stale'] as const) {
    flags.on(event, () => {
      for (const [response, visitor] of watchers) send(response, visitor)
    })
  }

  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop')
    const visitor = readVisitor(searchParams)
    if (pathname === '/events') return watch(request, response, visitor)
    if (pathname !== '/') return response.writeHead(404).end('Not found')
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    return response.end(renderPage(visitor, render(visitor)))
  })
}
