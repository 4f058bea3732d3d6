import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { compressResponses } from '../../../../src/http/responses/compress-responses.ts'

const LARGE = { text: 'x'.repeat(100_000) }

/** Serves a large response, with a hook behind the one that compresses. */
async function serve(behind: () => Promise<void>): Promise<string> {
  const app = fastify()
  compressResponses(app)
  app.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode === 200) await behind()
  })
  app.get('/', async () => LARGE)
  onTestFinished(() => app.close())
  return app.listen({ port: 0, host: '127.0.0.1' })
}

test('a large response is compressed for a client that accepts gzip, and whole', async () => {
  const answer = await fetch(await serve(async () => undefined))
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(await answer.json()).toEqual(LARGE)
})

test('what throws behind a compressed response is a response, not a connection without an end', async () => {
  const answer = await fetch(
    await serve(async () => {
      throw new Error('the hook behind it fails')
    }),
  )
  expect(answer.status).toBe(500)
  expect((await answer.json()).message).toContain('the hook behind it fails')
})
