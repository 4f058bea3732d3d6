import type { ImportClass } from '@burgee/contract'
import { type Icon, IconArrowsShuffle, IconCheck, IconTilde, IconX } from '@tabler/icons-react'

interface ClassWords {
  readonly label: string
  readonly meaning: string
  /** It states the class without its color. */
  readonly icon: Icon
}

/** The classes of a flag in the words of the page, from the best to the worst. */
export const CLASS_WORDS: Readonly<Record<ImportClass, ClassWords>> = {
  exact: { label: 'Exact', meaning: 'Every user gets the value they got before.', icon: IconCheck },
  moved: {
    label: 'Other users',
    meaning: 'The same rules and shares, with other users in the shares.',
    icon: IconArrowsShuffle,
  },
  approximated: { label: 'Approximate', meaning: 'A note names the difference.', icon: IconTilde },
  skipped: { label: 'Not imported', meaning: 'The flag is left out.', icon: IconX },
}
