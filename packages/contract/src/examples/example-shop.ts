// biome-ignore-all lint/style/noExcessiveLinesPerFile: one coherent set of examples
const PROJECT_ID = '0d9f2c7a-51c4-4b8e-9a63-7e2f1b84c5d0'
const PRODUCTION_ID = '3f0a5c1e-8f7b-4d2a-9c64-2b1d7e90a4c8'
const STAGING_ID = '8c2e6b47-0a1d-4f35-b7e9-5d6c3f82a910'
const DEVELOPMENT_ID = 'b61d4e83-2f9c-47a0-8e15-c0a7d3f5962b'
const FOUNDED_AT = '2026-01-12T09:30:00.000Z'

const condition = { attribute: 'app_version', operator: 'greater_than_or_equal', values: ['3.2'] }

const rules = [
  { segment_key: 'beta-testers' },
  { attribute: 'country', operator: 'equals', values: ['NL', 'BE'], conditions: [condition] },
] as const

const checkout = {
  key: 'new-checkout',
  is_enabled: true,
  rollout_percentage: 25,
  description: 'The checkout on one page',
  rules,
  flag_type: 'boolean',
  default_value: true,
  disabled_value: false,
  variants: [],
  prerequisites: [{ flag_key: 'payments' }],
  tags: ['checkout', 'q1'],
  owner_email: 'ada@example.com',
}

const button = {
  key: 'button-color',
  is_enabled: true,
  rollout_percentage: null,
  description: 'Which color sells more',
  rules: [{ attribute: 'email', operator: 'ends_with', values: ['@example.com'], variant: 'green' }],
  flag_type: 'string',
  default_value: 'blue',
  disabled_value: 'blue',
  variants: [
    { weight: 50, value: 'blue' },
    { weight: 50, value: 'green' },
  ],
  prerequisites: [],
  tags: ['design'],
  owner_email: null,
}

const flags = [
  { ...checkout, archived_at: null, revision: 42 },
  { ...button, archived_at: null, revision: 17 },
] as const

const beta_testers = {
  name: 'Beta testers',
  key: 'beta-testers',
  description: 'People who get new things early',
  rules: [{ attribute: 'plan', operator: 'equals', values: ['beta'] }],
}

const productionKey = {
  id: 7,
  name: 'Shop backend',
  prefix: 'sk_live_Jq3v…',
  kind: 'reader',
  parent_id: null,
  environment_id: PRODUCTION_ID,
  environment_name: 'Production',
  created_at: FOUNDED_AT,
}

const deployToken = {
  id: 12,
  name: 'Deploy script',
  prefix: 'pat_9fKd…',
  scope: 'read_write',
  created_at: '2026-02-03T08:15:00.000Z',
  expires_at: '2026-05-04T08:15:00.000Z',
  parent_id: null,
  parent_name: null,
}

const environment = (id: string, name: string, color: string, is_default = false) => ({
  id,
  name,
  slug: name.toLowerCase(),
  color,
  is_default,
  created_at: FOUNDED_AT,
  require_approval: false,
  approval_scope: 'patch',
  min_approvals: 1,
  approvers: [],
  keys_may_manage: true,
  keys_may_manage_effective: true,
  require_comment: false,
  history_since: FOUNDED_AT,
  seen_users: 'keys',
  private_attributes: [],
})

const rolloutPatch = { rollout_percentage: 50 }

const decidedChange = {
  before: flags[0],
  after: { ...flags[0], ...rolloutPatch },
  changes: [{ path: '/rollout_percentage', before: 25, after: 50 }],
}

const requestedWith = { kind: 'sdk_key', name: 'Deploy pipeline', created_by: ['grace@example.com'] }

const change_request = {
  id: 5,
  environment_id: PRODUCTION_ID,
  flag_key: 'new-checkout',
  operation: 'patch',
  patch: rolloutPatch,
  body: rolloutPatch,
  scheduled_at: null,
  requested_by: 'grace@example.com',
  requested_with: { kind: 'session', name: null, created_by: [] },
  status: 'pending',
  comment: 'The trial went well',
  review_comment: null,
  reviewed_by: null,
  reason: null,
  approvals: [],
  bypass_reason: null,
  created_at: '2026-02-11T10:00:00.000Z',
  reviewed_at: null,
  preview: { ...decidedChange, conflicts: [] },
  decided_change: null,
  comments: [],
}

/**
 * The sample data of a shop for all examples of the API, so that they agree with each other. Schemas take
 * their examples from here, and a test validates each against its schema. The secrets are not valid anywhere.
 */
const impressionInput = {
  flag_key: 'button-color',
  user_id: 'user-1087',
  value: 'green',
  context: { country: 'NL' },
  evaluated_at: '2026-03-02T14:05:09.120Z',
}

const experimentInput = {
  name: 'Which color sells more',
  key: 'button-color-sales',
  flag_key: 'button-color',
  goal_event_key: 'order-placed',
  control_variant: 'blue',
  description: 'Green against the blue that we have',
}

const experiment = {
  id: '9e2b7d40-6c15-4a8f-b3d1-0f7e52c94a68',
  environment_id: PRODUCTION_ID,
  ...experimentInput,
  status: 'running',
  created_at: '2026-02-20T08:00:00.000Z',
}

const WEBHOOK_ID = '2d8e61b7-93fa-4c05-8b1e-7a4f09c6d352'
const INTEGRATION_ID = '7b15c0e9-4d68-4f2a-9e37-c80b6a2f91d4'

const secondFactor = {
  code: '492039',
  recovery_codes: ['k3vqpz-7mwx2a-hcndt5-rbyfu4', 'w6jgsl-e2kq7v-zp4mxa-3nhdct'],
  newTotp: {
    secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    otpauth_url:
      'otpauth://totp/Burgee:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Burgee',
  },
}

const CREDENTIAL_ID = 'Gd9sJYQzfYhCqzB0yXb2qQ'
const credential = { id: CREDENTIAL_ID, rawId: CREDENTIAL_ID, type: 'public-key' }
const CLIENT_DATA = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiZGpFdVR6VSJ9'

const passkey = {
  passkey: {
    id: 3,
    name: 'Chrome on macOS',
    created_at: FOUNDED_AT,
    last_used_at: '2026-02-11T10:00:00.000Z',
  },
  challenge: 'djEuSzN2cXBaN213eDJhSGNuZHQ1',
  userHandle: 'pL0f3mQ8yD7xWq2nV5tZc1sRb6uHk9aEj4gTi0oXwYM',
  attestation: {
    ...credential,
    response: {
      clientDataJSON: CLIENT_DATA,
      attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg',
      transports: ['internal'],
    },
  },
  assertion: {
    ...credential,
    response: {
      clientDataJSON: CLIENT_DATA,
      authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MdAAAAAg',
      signature: 'MEUCIQDx2QvT5c0',
      userHandle: 'pL0f3mQ8yD7xWq2nV5tZc1sRb6uHk9aEj4gTi0oXwYM',
    },
  },
}

const lastDelivery = {
  id: 5120,
  event: 'flag.updated',
  attempt: 1,
  status_code: 200,
  error: null,
  delivered_at: '2026-02-11T10:00:01.000Z',
}

export const EXAMPLE_SHOP = {
  at: FOUNDED_AT,
  second_factor: secondFactor,
  passkey,
  webhook: {
    id: WEBHOOK_ID,
    environment_id: PRODUCTION_ID,
    name: 'Deploy bot',
    url: 'https://hooks.example.com/burgee',
    has_secret: true,
    enabled: true,
    created_at: FOUNDED_AT,
    last_delivery: lastDelivery,
  },
  webhook_delivery: {
    id: 5120,
    webhook_id: WEBHOOK_ID,
    event: 'flag.updated',
    attempt: 1,
    message_id: 'evt_311',
    status_code: 200,
    response_body: 'thanks',
    error: null,
    duration_ms: 61,
    delivered_at: '2026-02-11T10:00:01.000Z',
  },
  integration: {
    id: INTEGRATION_ID,
    environment_id: PRODUCTION_ID,
    kind: 'slack',
    name: 'Releases',
    webhook_url_preview: 'https://hooks.example.com/••••••',
    events: ['flag.updated'],
    enabled: true,
    created_at: FOUNDED_AT,
    last_delivery: lastDelivery,
  },
  integrationDelivery: {
    id: 911,
    integration_id: INTEGRATION_ID,
    event: 'flag.updated',
    attempt: 1,
    message_id: 'evt_311',
    status_code: 200,
    response_body: 'ok',
    error: null,
    duration_ms: 84,
    delivered_at: '2026-02-11T10:00:01.000Z',
  },
  impressionInput,
  impression: { id: 90412, ...impressionInput },
  impressionStats: {
    flag_key: 'new-checkout',
    total: 18204,
    true_count: 4517,
    false_count: 13687,
    unique_users: 6120,
    last_seen: '2026-03-02T14:05:09.120Z',
  },
  exposure: {
    flag_key: 'button-color',
    total_impressions: 1530,
    total_users: 1204,
    variants: [
      { value: 'blue', impressions: 770, unique_users: 605 },
      { value: 'green', impressions: 760, unique_users: 599 },
    ],
    timeline: [
      { day: '2026-03-01', value: 'blue', count: 402 },
      { day: '2026-03-01', value: 'green', count: 391 },
    ],
  },
  activity: { flag_key: 'button-color', days: [{ day: '2026-03-01', count: 793 }] },
  goal_event: {
    event_key: 'order-placed',
    user_id: 'user-1087',
    value: 59.9,
    context: { currency: 'EUR' },
    occurred_at: '2026-03-02T14:11:40.000Z',
  },
  goalSummary: {
    event_key: 'order-placed',
    total: 181,
    unique_users: 170,
    last_seen: '2026-03-02T14:11:40.000Z',
  },
  experimentInput,
  experiment,
  experimentResults: {
    experiment,
    control_variant: 'blue',
    total_exposed: 1204,
    total_converted: 170,
    variants: [
      {
        variant: 'blue',
        exposed: 605,
        converted: 70,
        conversion_rate: 0.1157,
        is_control: true,
        uplift: null,
        z_score: null,
        p_value: null,
        significant: false,
        confidence_interval: null,
        sequential: null,
      },
      {
        variant: 'green',
        exposed: 599,
        converted: 100,
        conversion_rate: 0.1669,
        is_control: false,
        uplift: 0.4429,
        z_score: 2.553,
        p_value: 0.0107,
        significant: true,
        confidence_interval: { low: 0.012, high: 0.0905 },
        sequential: { p_value: 0.1982, low: -0.0143, high: 0.1168 },
      },
    ],
    sample_ratio_mismatch: { p_value: 0.8627, mismatch: false },
    power: { required_per_variant: 725 },
  },
  project: {
    id: PROJECT_ID,
    name: 'Web shop',
    slug: 'web-shop',
    environment_count: 3,
    member_count: 2,
    created_at: FOUNDED_AT,
  },
  environments: [
    environment(PRODUCTION_ID, 'Production', '#ef4444'),
    environment(STAGING_ID, 'Staging', '#f59e0b'),
    environment(DEVELOPMENT_ID, 'Development', '#22c55e', true),
  ],
  productionId: PRODUCTION_ID,
  stagingId: STAGING_ID,
  condition,
  rules,
  /** The input of writes. */
  flagInputs: [checkout, button],
  flags,
  listedFlag: {
    ...flags[0],
    created_at: FOUNDED_AT,
    updated_at: '2026-02-10T14:05:21.480Z',
    updated_by: 'ada@example.com',
  },
  /** The flag as SDKs receive it: the rules of the segment replace the reference to it. */
  expandedFlag: { ...flags[0], rules: [...beta_testers.rules, rules[1]] },
  segmentInput: beta_testers,
  segment: {
    id: '5a7c9e10-4b3d-4e6f-8a21-9d0c7b5e3f14',
    environment_id: PRODUCTION_ID,
    ...beta_testers,
    revision: 3,
    created_at: FOUNDED_AT,
  },
  requestedWith,
  change_request,
  decidedChange,
  scheduled_change: {
    id: 'c4f1a2d6-7e38-4b90-a5c2-16d8e9f03b7a',
    environment_id: PRODUCTION_ID,
    flag_key: 'new-checkout',
    scheduled_at: '2026-02-14T06:00:00.000Z',
    patch: { rollout_percentage: 100 },
    scheduled_by: 'grace@example.com',
    comment: 'The campaign begins',
    executed_at: null,
    error: null,
    created_at: '2026-02-11T10:00:00.000Z',
  },
  auditEntry: {
    id: 311,
    environment_id: PRODUCTION_ID,
    flag_key: 'new-checkout',
    actor_email: 'ada@example.com',
    action: 'update',
    before_data: { ...flags[0], rollout_percentage: 10, revision: 41 },
    after_data: flags[0],
    metadata: { origin: 'direct' },
    created_at: '2026-02-10T14:05:21.480Z',
    chain: PRODUCTION_ID,
    seq: 57,
    hash: 'a91f0c7be1d2a8cd2f6e4cc0bd7a7b0a6f52d3d80e3b8f5f0f64b6ef4a3d2c10',
  },
  sdk_key: productionKey,
  sdkKeySecret: 'sk_live_Jq3v-example-that-opens-nothing',
  access_token: deployToken,
  service_account: {
    id: 9,
    name: 'Deploy pipeline',
    actor: 'service-account:Deploy pipeline',
    created_at: FOUNDED_AT,
    disabled_at: null,
    memberships: [{ project_id: PROJECT_ID, project_name: 'Web shop', role: 'editor' }],
  },
  accessTokenSecret: 'pat_9fKd-example-that-opens-nothing',
  current_user: {
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    role: 'admin',
    workspace_name: 'Acme',
    is_setup_complete: true,
  },
  users: [
    {
      id: 1,
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      role: 'admin',
      created_at: FOUNDED_AT,
      email_unconfirmed_since: null,
      disabled_at: null,
      locked_until: null,
      has_password: true,
      is_linked: false,
      second_factors: ['totp'],
    },
    {
      id: 2,
      name: 'Grace Hopper',
      email: 'grace@example.com',
      role: 'editor',
      created_at: FOUNDED_AT,
      email_unconfirmed_since: null,
      disabled_at: null,
      locked_until: null,
      has_password: false,
      is_linked: false,
      second_factors: [],
    },
  ],
  placeNames: {
    project: { id: PROJECT_ID, name: 'Web shop' },
    environment: { id: PRODUCTION_ID, name: 'Production' },
  },
  role: {
    key: 'release-manager',
    name: 'Release manager',
    description: 'Reads everything and decides about changes',
    permissions: ['read_project', 'read_environment', 'review_changes'],
    is_built_in: false,
    member_count: 1,
    override_count: 0,
    created_at: FOUNDED_AT,
  },
  session: {
    id: '5f1d0a52-7c3b-4b1e-9d2f-3a6c8e90b714',
    method: 'password',
    address: '203.0.113.7',
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    created_at: '2026-02-10T08:00:12.000Z',
    authenticated_at: '2026-02-10T08:00:12.000Z',
    last_seen_at: '2026-02-10T14:05:21.480Z',
    expires_at: '2026-02-17T08:00:12.000Z',
    is_current: true,
  },
  member: { user_id: 2, name: 'Grace Hopper', email: 'grace@example.com', role: 'editor' },
  preferences: {
    favorite_flags: { 'new-checkout': true },
    saved_filters: { 'Checkout, on': 'state=on&tags=checkout' },
    environment_order: [STAGING_ID, PRODUCTION_ID],
  },
  memberCandidate: { user_id: 3, name: 'Alan Turing', email: 'alan@example.com' },
  comment: 'The trial went well',
  password: 'correct horse battery staple',
  changedAt: '2026-02-10T14:05:21.480Z',
} as const
