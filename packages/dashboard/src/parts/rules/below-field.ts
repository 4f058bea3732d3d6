/**
 * A dropdown of the rule editor opens below its field, also near the end of the page: the sentence that it
 * builds is above the field and stays in sight.
 */
export const BELOW = {
  comboboxProps: { position: 'bottom-start', middlewares: { flip: false, shift: true } },
} as const
