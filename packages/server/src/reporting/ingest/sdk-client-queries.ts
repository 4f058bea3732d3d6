import { sql } from 'kysely'

/** The columns of `sdk_clients` and `sdk_client_places`. */
export const SDK_CLIENT_COLUMNS = sql.raw(
  'environment_id, client_id, key_id, app, sdk, instance, server_id, transport, revision, connected_at, seen_at',
)

/**
 * The connections of SDKs to servers, for the `from` of a query: the client's row in `sdk_clients`, and its
 * rows for further servers. A client is its id with its key, so it has a row for each server that it uses.
 */
export const ALL_SDK_CLIENTS = sql`(
  select ${SDK_CLIENT_COLUMNS} from sdk_clients union all select ${SDK_CLIENT_COLUMNS} from sdk_client_places)`
