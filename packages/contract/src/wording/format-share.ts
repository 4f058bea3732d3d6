const THOUSANDTHS = 1_000

/** Formats a share of users, `12.5%`; null where there is none. The thousandths of a percent win. */
export function formatShare({
  rollout_percentage = null,
  rollout_thousandths,
}: {
  readonly rollout_percentage?: number | null
  readonly rollout_thousandths?: number | null
}): string | null {
  const percentage =
    rollout_thousandths === undefined || rollout_thousandths === null
      ? rollout_percentage
      : rollout_thousandths / THOUSANDTHS
  return percentage === null ? null : `${percentage}%`
}
