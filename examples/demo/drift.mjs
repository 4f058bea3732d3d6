/** The differences of Staging and Development from Production; null for a flag that is missing there. */
export const DRIFT = {
  staging: {
    'new-checkout': { is_enabled: true, rollout_percentage: 50 },
    'harbour-pickup': { is_enabled: true },
    'review-photos': { rollout_percentage: 60 },
    'goods-per-page': { default_value: 36, variants: [] },
    'season-campaign': null,
    'login-attempts': { default_value: 3 },
    'newsletter-popup': null,
  },
  development: {
    'new-checkout': { is_enabled: true },
    'express-delivery': { rollout_percentage: null, rules: [] },
    'one-click-reorder': { rollout_percentage: null },
    'boat-configurator': { rollout_percentage: 100 },
    'recommendation-engine': { variants: [], default_value: 'neural' },
    'maintenance-banner': null,
    'price-rounding': { description: 'How prices end, to the cent' },
    'search-timeout-ms': { default_value: 5000 },
  },
}
