import type { SentLink } from '@burgee/contract'
import { SecretStep } from '../../../shared/ui/secret-step.tsx'

interface SentLinkStepProps {
  readonly sent: SentLink
  readonly onDone: () => void
}

/** The link that an admin hands over, since no e-mail was sent. */
export function SentLinkStep({ sent: { link, user }, onDone }: SentLinkStepProps) {
  return (
    <SecretStep
      label={`Link of ${user.email}`}
      secret={new URL(link ?? '/', location.origin).href}
      hint="It is not shown again. Anyone who has it can set the password of this account."
      confirmation="I have handed it over"
      onDone={onDone}
    >
      They set their own password with it. It is valid for one hour and works once.
    </SecretStep>
  )
}
