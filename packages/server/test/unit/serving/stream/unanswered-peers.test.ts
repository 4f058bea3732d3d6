import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { peerOf, readTimeouts, readUnansweredPeers } from '../../../../src/serving/stream/unanswered-peers.ts'

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'
const row = (local: string, remote: string, state: string, retransmits: string) =>
  `   1: ${local} ${remote} ${state} 00000027:00000000 01:0000002A ${retransmits}     0        0 4711 2 0000000012345678 40 4 0 10 -1\n`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'burgee-peers-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const table = (name: string, rows: readonly string[]) => {
  const path = join(folder, name)
  writeFileSync(path, HEAD + rows.join(''))
  return path
}

describe('the tables of TCP connections', () => {
  test('connections with retransmissions are found, over IPv4 and IPv6', async () => {
    const tcp = table('tcp', [row('0100007F:0BB8', '0200007F:857C', '01', '00000003')])
    const tcp6 = table('tcp6', [
      row('0000000000000000FFFF00000100007F:0BB8', '0000000000000000FFFF00000A00000A:D431', '01', '00000001'),
      row('B80D0120000000000000000001000000:0BB8', 'B80D0120000000000000000002000000:0050', '01', '0000000A'),
    ])
    expect(await readUnansweredPeers([tcp, tcp6])).toEqual(
      new Set(['127.0.0.2 34172 3000', '10.0.0.10 54321 3000', '2001:db8::2 80 3000']),
    )
  })

  test('connections without retransmissions, and those that are not established, are left out', async () => {
    const tcp = table('tcp', [
      row('0100007F:0BB8', '0200007F:857C', '01', '00000000'),
      row('0100007F:0BB8', '0200007F:857D', '04', '00000003'),
      row('00000000:0BB8', '00000000:0000', '0A', '00000000'),
    ])
    expect(await readUnansweredPeers([tcp])).toEqual(new Set())
  })

  test('tables longer than one read are read whole', async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) =>
      row(
        '0100007F:0BB8',
        `0200007F:${(at + 1).toString(16).toUpperCase().padStart(4, '0')}`,
        '01',
        '00000002',
      ),
    )
    expect((await readUnansweredPeers([table('tcp', rows)]))?.size).toBe(5_000)
  })

  test('a table that cannot be read says so', async () => {
    expect(await readUnansweredPeers([folder])).toBeNull()
  })

  test('a system without the tables has none', async () => {
    expect(await readUnansweredPeers([join(folder, 'absent')])).toEqual(new Set())
  })

  test('rows are found whatever the number of digits before them', async () => {
    const wide = row('0100007F:0BB8', '0200007F:857C', '01', '00000001').replace('   1:', '1234567:')
    const answered = row('0100007F:0BB8', '0200007F:857D', '01', '00000000').replace('   1:', '1234568:')
    expect(await readUnansweredPeers([table('tcp', [wide, answered])])).toEqual(
      new Set(['127.0.0.2 34172 3000']),
    )
  })

  test('timeouts are read from the counters by their name, and are unknown on a system without', async () => {
    const counters = join(folder, 'netstat')
    writeFileSync(counters, 'TcpExt: A TCPTimeouts B\nTcpExt: 1 4711 2\nIpExt: TCPTimeouts\nIpExt: 3\n')
    expect(await readTimeouts(counters)).toBe('4711')
    writeFileSync(counters, 'TcpExt: A B\nTcpExt: 1 2\n')
    expect(await readTimeouts(counters)).toBeNull()
    expect(await readTimeouts(join(folder, 'absent'))).toBeNull()
  })

  test.for([
    ['127.0.0.1', '127.0.0.1'],
    ['::', '127.0.0.1'],
    ['::1', '::1'],
  ])('a socket of a server on %s is named by the addresses of the tables', async ([host, to], context) => {
    const server = createServer()
    server.listen(0, host)
    const listens = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ])
    if (!listens) context.skip(`this machine has no address ${host}`)
    const address = server.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    const client = connect(port, to)
    const [socket] = (await once(server, 'connection')) as [Socket]
    expect(peerOf(socket)).toBe(`${to} ${client.localPort} ${port}`)
    client.destroy()
    socket.destroy()
    server.close()
  })
})
