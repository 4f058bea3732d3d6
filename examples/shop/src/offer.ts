import type { Client, Evaluation } from '@burgee/sdk'
import type { Visitor } from './visitor.ts'

/** The contents of the page for one visitor, as the flags decide them. */
export interface Offer {
  readonly hasNewCheckout: boolean
  readonly bannerColor: BannerColor
  /** The price in euros from which an order is sent free. */
  readonly freeShippingFrom: number
  /** The decisions with their reasons, for display. */
  readonly decisions: readonly Decision[]
}

interface Decision {
  readonly flagKey: string
  readonly value: string
  readonly reason: string
}

const BANNER_COLORS = ['sea', 'coral', 'meadow'] as const
type BannerColor = (typeof BANNER_COLORS)[number]

const FREE_SHIPPING_FROM = 60

/** Evaluates the flags for one visitor. It needs no network and never waits, so it runs for each request. */
export function makeOffer(flags: Client, { country, user }: Visitor): Offer {
  const attributes = { country }
  const checkout = flags.evaluate('new-checkout', user, attributes)
  const color = flags.evaluate('banner-colour', user, attributes, 'sea')
  const shipping = flags.evaluate('free-shipping-threshold', user, attributes, FREE_SHIPPING_FROM)
  return {
    hasNewCheckout: checkout.value === true,
    // People enter the values: a color that the page does not know is replaced.
    bannerColor: BANNER_COLORS.find((known) => known === color.value) ?? 'sea',
    freeShippingFrom: typeof shipping.value === 'number' ? shipping.value : FREE_SHIPPING_FROM,
    decisions: [
      decision('new-checkout', checkout),
      decision('banner-colour', color),
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
  STATIC: 'the same for all users',
  DEFAULT: 'no rule is about you',
  DISABLED: 'switched off',
  PREREQUISITE_FAILED: 'needs another flag',
  FLAG_NOT_FOUND: 'no such flag yet',
  ERROR: 'not readable',
}
