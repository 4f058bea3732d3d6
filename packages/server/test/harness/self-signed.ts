import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const HAS_OPENSSL = spawnSync('openssl', ['version']).status === 0

/** Creates a self-signed key and certificate for 127.0.0.1 and a name. */
export async function selfSigned(name = 'localhost'): Promise<{ key: string; cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'burgee-test-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
  const names = ['-subj', '/CN=127.0.0.1', '-addext', `subjectAltName=IP:127.0.0.1,DNS:${name}`]
  try {
    const made = spawnSync('openssl', [...kind, ...names, '-keyout', key, '-out', cert])
    if (made.status !== 0) throw new Error(String(made.stderr))
    return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
