import { percentageOf } from '@burgee/contract'
import { AmountInput } from './amount-input.tsx'

/** A share of users, in whole percent or, where they are set, in thousandths of a percent. */
export interface Share {
  readonly rollout_percentage?: number | null | undefined
  readonly rollout_thousandths?: number | null | undefined
}

interface ShareInputProps {
  readonly label: string
  /** In percent, with up to three decimals. */
  readonly value: number
  readonly onChange: (share: { rollout_percentage: number; rollout_thousandths: number | undefined }) => void
  readonly error: string | undefined
  readonly isReadOnly: boolean
  readonly className?: string | undefined
}

const THOUSANDTHS = 1_000
const PERCENT_MAX = 100
const DECIMALS = 3

/** Returns the share in percent, with its decimals; null where there is none. */
export const shareOf = ({ rollout_percentage, rollout_thousandths }: Share): number | null =>
  typeof rollout_thousandths === 'number' ? rollout_thousandths / THOUSANDTHS : (rollout_percentage ?? null)

/** Returns the fields of a share: thousandths only where the percentage is not whole. */
export function toShare(percentage: number) {
  const rollout_thousandths = Number.isInteger(percentage) ? undefined : Math.round(percentage * THOUSANDTHS)
  return {
    rollout_percentage:
      percentageOf({ rollout_thousandths: rollout_thousandths ?? percentage * THOUSANDTHS }) ?? 0,
    rollout_thousandths,
  }
}

/** A percentage with up to three decimals. */
export function ShareInput({ label, value, onChange, error, isReadOnly, className }: ShareInputProps) {
  return (
    <AmountInput
      className={className}
      aria-label={label}
      value={value}
      onChange={(next) => onChange(toShare(next))}
      max={PERCENT_MAX}
      decimalScale={DECIMALS}
      suffix="%"
      error={error}
      readOnly={isReadOnly}
    />
  )
}
