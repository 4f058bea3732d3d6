import type { Client, Evaluation } from '@burgee/sdk'
import type { Visitor } from './visitor.ts'

/** What the flags decide about the page, for one visitor. */
export interface Offer {
  readonly hasNewCheckout: boolean
  readonly bannerColour: BannerColour
  /** Orders from this price on are sent free, in euros. */
  readonly freeShippingFrom: number
  /** Each decision with its reason, to be shown. */
  readonly decisions: readonly Decision[]
}

interface Decision {
  readonly flagKey: string
  readonly value: string
  readonly reason: string
}

const BANNER_COLOURS = ['sea', 'coral', 'meadow'] as const
type BannerColour = (typeof BANNER_COLOURS)[number]

const FREE_SHIPPING_FROM = 60

/** Evaluates the flags. No network, no waiting: this may run for each request, and does. */
export function makeOffer(flags: Client, { country, user }: Visitor): Offer {
  const attributes = { country }
  const checkout = flags.evaluate('new-checkout', user, attributes)
  const colour = flags.evaluate('banner-colour', user, attributes, 'sea')
  const shipping = flags.evaluate('free-shipping-threshold', user, attributes, FREE_SHIPPING_FROM)
  return {
    hasNewCheckout: checkout.value === true,
    // Values come from people: what the page cannot show, it replaces.
    bannerColour: BANNER_COLOURS.find((known) => known === colour.value) ?? 'sea',
    freeShippingFrom: typeof shipping.value === 'number' ? shipping.value : FREE_SHIPPING_FROM,
    decisions: [
      decision('new-checkout', checkout),
      decision('banner-colour', colour),
      decision('free-shipping-threshold', shipping),
    ],
  }
}

function decision(flagKey: string, { reason, rule_index, value }: Evaluation): Decision {
  const rule = rule_index === undefined ? '' : ` ${rule_index + 1}`
  return { flagKey, value: String(value ?? false), reason: (REASONS[reason] ?? reason) + rule }
}

const REASONS: Readonly<Record<string, string>> = {
  TARGETING_MATCH: 'targeting rule',
  SPLIT: 'your share of users',
  STATIC: 'the same for everybody',
  DEFAULT: 'no rule is about you',
  DISABLED: 'switched off',
  PREREQUISITE_FAILED: 'needs another flag',
  FLAG_NOT_FOUND: 'no such flag yet',
  ERROR: 'not readable',
}
