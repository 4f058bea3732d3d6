/** A flag as history, audit and events have it: without the times and the warnings that the API shows beside it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
export function stateOf(flag: any) {
  const { created_at: _c, updated_at: _u, updated_by: _b, warnings: _w, ...state } = flag
  return state
}
