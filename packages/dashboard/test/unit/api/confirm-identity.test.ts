import { expect, test } from 'vitest'
import { confirmIdentity, setIdentityDialog } from '../../../src/shared/api/confirm-identity.ts'

test('concurrent calls share one dialog, and the next call gets another one', async () => {
  const open: ((isConfirmed: boolean) => void)[] = []
  const remove = setIdentityDialog(() => new Promise((resolve) => open.push(resolve)))

  const both = Promise.all([confirmIdentity(), confirmIdentity()])
  expect(open).toHaveLength(1)
  open[0]?.(true)
  expect(await both).toEqual([true, true])

  const later = confirmIdentity()
  expect(open).toHaveLength(2)
  open[1]?.(false)
  expect(await later).toBe(false)
  remove()
})

test('without a dialog nothing is confirmed', async () => {
  expect(await confirmIdentity()).toBe(false)
})
