import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import {
  ENVIRONMENT_ORDER_MAX,
  FAVORITE_FLAGS_MAX,
  SAVED_FILTER_NAME_MAX_LENGTH,
  SAVED_FILTER_QUERY_MAX_LENGTH,
  SAVED_FILTERS_MAX,
} from '../limits.ts'
import { Nullable, uuid } from './common.ts'

const IsFavorite = Type.Literal(true)
const SavedFilter = Type.String({
  maxLength: SAVED_FILTER_QUERY_MAX_LENGTH,
  description: "The query of the flag list's address, such as `state=on&tags=checkout`",
})

const EnvironmentOrder = Type.Array(uuid({ description: 'An environment' }), {
  maxItems: ENVIRONMENT_ORDER_MAX,
  description: 'Ids of environments in the order of the switcher; those that are missing follow',
})

/** The settings of one user for their own view of one project. */
export const Preferences = Type.Object(
  {
    favorite_flags: Type.Record(Type.String(), IsFavorite, {
      description: `The keys of flags with a star, at most ${FAVORITE_FLAGS_MAX}, in every environment`,
    }),
    saved_filters: Type.Record(Type.String(), SavedFilter, {
      description: `Filters of the flag list by name, at most ${SAVED_FILTERS_MAX}`,
    }),
    environment_order: EnvironmentOrder,
  },
  { examples: [EXAMPLE_SHOP.preferences] },
)
export type Preferences = Static<typeof Preferences>

/** A JSON merge patch: null removes a favorite or a saved filter. */
export const PreferencesPatch = Type.Object(
  {
    favorite_flags: Type.Optional(
      Type.Record(Type.String(), Nullable(IsFavorite), {
        description: 'Flag keys to add (true) or to remove (null)',
      }),
    ),
    saved_filters: Type.Optional(
      Type.Record(Type.String(), Nullable(SavedFilter), {
        description: `Names of at most ${SAVED_FILTER_NAME_MAX_LENGTH} characters, with a filter to store, or null to remove it`,
      }),
    ),
    environment_order: Type.Optional(EnvironmentOrder),
  },
  { examples: [{ favorite_flags: { 'new-checkout': true, 'old-checkout': null } }] },
)
export type PreferencesPatch = Static<typeof PreferencesPatch>
