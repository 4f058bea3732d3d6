import { describe, expect, test } from 'vitest'
import { inPublishingOrder } from '../scripts/publish.mjs'

describe('publish', () => {
  test('each package is published after those that it depends on', () => {
    const manifests = [
      { name: '@burgee/react', peerDependencies: { '@burgee/sdk': '1.0.0', react: '>=18' } },
      { name: '@burgee/sdk', devDependencies: { '@burgee/react': '1.0.0' } },
      {
        name: '@burgee/server',
        dependencies: { '@burgee/contract': '1.0.0', '@burgee/evaluation': '1.0.0' },
      },
      { name: '@burgee/contract', dependencies: { '@burgee/evaluation': '1.0.0' } },
      { name: '@burgee/evaluation' },
    ]
    expect(inPublishingOrder(manifests).map(({ name }) => name)).toEqual([
      '@burgee/sdk',
      '@burgee/react',
      '@burgee/evaluation',
      '@burgee/contract',
      '@burgee/server',
    ])
  })

  test('packages that need each other cannot be published', () => {
    const manifests = [
      { name: 'a', dependencies: { b: '1.0.0' } },
      { name: 'b', dependencies: { a: '1.0.0' } },
    ]
    expect(() => inPublishingOrder(manifests)).toThrow('a -> b -> a is a circle')
  })
})
