/**
 * The flags and segments of the demo's web shop in Production. The other environments differ a little
 * (demo-drift.mjs).
 */

const ADA = 'demo@example.com'
const EDITH = 'editor@example.com'

export const SEGMENTS = [
  {
    key: 'staff',
    name: 'Staff',
    description: 'All staff: users with an address of the company',
    rules: [{ attribute: 'email', operator: 'ends_with', values: ['@skerry.example'] }],
  },
  {
    key: 'beta-testers',
    name: 'Beta testers',
    description: 'Customers who get new things early, and staff',
    rules: [{ attribute: 'plan', operator: 'equals', values: ['beta', 'partner'] }, { segment_key: 'staff' }],
  },
  {
    key: 'nordic-customers',
    name: 'Nordic customers',
    description: 'Where parcels arrive the next day',
    rules: [{ attribute: 'country', operator: 'equals', values: ['NO', 'SE', 'DK', 'FI', 'IS'] }],
  },
  {
    key: 'big-spenders',
    name: 'Big spenders',
    description: 'More than 20 orders, or more than 1,000 euros',
    rules: [
      { attribute: 'orders', operator: 'greater_than', values: ['20'] },
      { attribute: 'spent', operator: 'greater_than_or_equal', values: ['1000'] },
    ],
  },
]

const rule = (attribute, operator, values, rest = {}) => ({ attribute, operator, values, ...rest })
const split = (...pairs) => pairs.map(([weight, value]) => ({ weight, value }))

/** The flags that the shop evaluates come first. */
const OF_THE_SHOP = [
  {
    key: 'new-checkout',
    description: 'One button instead of four steps',
    is_enabled: false,
    tags: ['checkout'],
    owner_email: ADA,
  },
  {
    key: 'banner-colour',
    description: 'Which banner sells best?',
    is_enabled: true,
    flag_type: 'string',
    default_value: 'sea',
    disabled_value: 'sea',
    variants: split([1, 'sea'], [1, 'coral'], [1, 'meadow']),
    tags: ['experiment'],
    owner_email: EDITH,
  },
  {
    key: 'free-shipping-threshold',
    description: 'Orders from this price on are sent free, in euros',
    is_enabled: true,
    flag_type: 'integer',
    default_value: 60,
    disabled_value: 60,
    rules: [rule('country', 'equals', ['NO'], { variant: 40 })],
    tags: ['shipping'],
    owner_email: ADA,
  },
]

const ON_AND_OFF = [
  {
    key: 'payments',
    description: 'Disable it in an emergency only: customers cannot pay then',
    is_enabled: true,
    tags: ['checkout', 'kill-switch'],
    owner_email: ADA,
  },
  {
    key: 'express-delivery',
    description: 'Offer delivery within the day',
    is_enabled: true,
    rollout_percentage: 40,
    rules: [
      { segment_key: 'nordic-customers', conditions: [rule('orders', 'greater_than_or_equal', ['1'])] },
      rule('city', 'equals', ['Bergen', 'Oslo', 'Gothenburg']),
    ],
    prerequisites: [{ flag_key: 'payments' }],
    tags: ['shipping', 'rollout'],
    owner_email: EDITH,
  },
  {
    key: 'one-click-reorder',
    description: 'Order the same again from the list of orders',
    is_enabled: true,
    rollout_percentage: 25,
    rules: [{ segment_key: 'big-spenders' }, { segment_key: 'staff' }],
    prerequisites: [{ flag_key: 'payments' }, { flag_key: 'new-checkout' }],
    tags: ['checkout', 'rollout'],
    owner_email: ADA,
  },
  {
    key: 'gift-cards',
    description: 'Sell and take gift cards',
    is_enabled: true,
    prerequisites: [{ flag_key: 'payments' }],
    tags: ['checkout'],
    owner_email: EDITH,
  },
  {
    key: 'product-reviews',
    description: 'Show what other customers think',
    is_enabled: true,
    tags: ['catalog'],
    owner_email: EDITH,
  },
  {
    key: 'review-photos',
    description: 'Customers may add photos to a review',
    is_enabled: true,
    rollout_percentage: 10,
    rules: [{ segment_key: 'beta-testers' }],
    prerequisites: [{ flag_key: 'product-reviews' }],
    tags: ['catalog', 'rollout'],
    owner_email: EDITH,
  },
  {
    key: 'live-stock',
    description: 'Read the stock from the warehouse on every page',
    is_enabled: true,
    rules: [rule('app_version', 'starts_with', ['3.', '4.'])],
    rollout_percentage: 50,
    tags: ['catalog', 'performance'],
    owner_email: ADA,
  },
  {
    key: 'harbour-pickup',
    description: 'Collect orders at the harbour office',
    is_enabled: false,
    rules: [rule('city', 'equals', ['Bergen'], { conditions: [rule('orders', 'greater_than', ['3'])] })],
    tags: ['shipping'],
    owner_email: ADA,
  },
  {
    key: 'newsletter-popup',
    description: null,
    is_enabled: false,
    tags: ['marketing'],
    owner_email: null,
  },
  {
    key: 'maintenance-banner',
    description: 'Shows on every page that we are back soon',
    is_enabled: false,
    tags: ['kill-switch'],
    owner_email: ADA,
  },
  {
    key: 'boat-configurator',
    description: 'Put a boat together and see the price at once',
    is_enabled: true,
    rollout_percentage: 0,
    rules: [{ segment_key: 'beta-testers' }],
    prerequisites: [{ flag_key: 'live-stock' }],
    tags: ['catalog', 'beta'],
    owner_email: EDITH,
  },
]

const WITH_VALUES = [
  {
    key: 'recommendation-engine',
    description: 'Which engine finds goods that go together',
    is_enabled: true,
    flag_type: 'string',
    default_value: 'bestsellers',
    disabled_value: 'none',
    variants: split([60, 'bestsellers'], [30, 'similar'], [10, 'neural']),
    rules: [{ segment_key: 'staff', variant: 'neural' }],
    tags: ['catalog', 'experiment'],
    owner_email: EDITH,
  },
  {
    key: 'support-channel',
    description: 'Where the question mark leads',
    is_enabled: true,
    flag_type: 'string',
    default_value: 'mail',
    disabled_value: 'mail',
    rules: [
      { segment_key: 'big-spenders', variant: 'phone' },
      { segment_key: 'nordic-customers', variant: 'chat' },
    ],
    tags: ['support'],
    owner_email: EDITH,
  },
  {
    key: 'price-rounding',
    description: 'How prices in other currencies end',
    is_enabled: true,
    flag_type: 'string',
    default_value: '.95',
    disabled_value: '.00',
    tags: ['pricing'],
    owner_email: ADA,
  },
  {
    key: 'goods-per-page',
    description: 'How many goods a list shows before one scrolls on',
    is_enabled: true,
    flag_type: 'integer',
    default_value: 24,
    disabled_value: 12,
    variants: split([2, 24], [1, 36], [1, 48]),
    rules: [rule('device', 'equals', ['phone'], { variant: 12 })],
    tags: ['catalog', 'performance'],
    owner_email: EDITH,
  },
  {
    key: 'login-attempts',
    description: 'After so many the door is shut for a while',
    is_enabled: true,
    flag_type: 'integer',
    default_value: 5,
    disabled_value: 10,
    tags: ['security'],
    owner_email: ADA,
  },
  {
    key: 'search-timeout-ms',
    description: 'How long the search may think',
    is_enabled: true,
    flag_type: 'integer',
    default_value: 800,
    disabled_value: 2000,
    tags: ['performance'],
    owner_email: null,
  },
  {
    key: 'season-campaign',
    description: 'What the front page advertises',
    is_enabled: true,
    flag_type: 'json',
    default_value: {
      title: 'Ready for the spring?',
      goods: ['tarp-blue', 'rope-12mm', 'lantern'],
      discount: { percent: 15, until: '2027-04-30' },
    },
    disabled_value: null,
    rules: [
      {
        segment_key: 'nordic-customers',
        variant: { title: 'Vårklar?', goods: ['tarp-blue', 'wool-socks'], discount: { percent: 20 } },
      },
    ],
    tags: ['marketing'],
    owner_email: EDITH,
  },
  {
    key: 'payment-methods',
    description: 'What the checkout offers, in this order',
    is_enabled: true,
    flag_type: 'json',
    default_value: ['card', 'invoice'],
    disabled_value: ['card'],
    rules: [
      rule('country', 'equals', ['NO'], { variant: ['vipps', 'card', 'invoice'] }),
      rule('country', 'equals', ['NL'], { variant: ['ideal', 'card'] }),
    ],
    prerequisites: [{ flag_key: 'payments', required_value: true }],
    tags: ['checkout'],
    owner_email: ADA,
  },
]

export const FLAGS = [...OF_THE_SHOP, ...ON_AND_OFF, ...WITH_VALUES]

/** The flag that is archived at the end. */
export const OLD_FLAG = {
  key: 'summer-sale-2025',
  description: 'Over since September',
  is_enabled: false,
  tags: ['marketing'],
  owner_email: EDITH,
}
