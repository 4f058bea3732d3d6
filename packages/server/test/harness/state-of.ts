/** Returns a flag as it is in history, audit log and events: without its times and its warnings. */
// biome-ignore lint/suspicious/noExplicitAny: tests read responses without types
export function stateOf(flag: any) {
  const { created_at: _c, updated_at: _u, updated_by: _b, warnings: _w, ...state } = flag
  return state
}
