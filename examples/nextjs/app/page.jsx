import { flagsOf, sdkKey, url } from '../lib/server-flags.mjs'
import { Flags } from './flags.jsx'
import { Shop } from './shop.jsx'

export default async function Page({ searchParams }) {
  const { plan = 'free', user: key = 'anna' } = await searchParams
  const user = { key, attributes: { plan } }
  const flags = await flagsOf(user)
  return (
    // The values of the flags that this page uses, without rules. The browser starts from them.
    <Flags url={url} sdkKey={sdkKey} user={user} initial={flags.dehydrate(['new-checkout', 'theme'])}>
      <Shop user={user} />
    </Flags>
  )
}
