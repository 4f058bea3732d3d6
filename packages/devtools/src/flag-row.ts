import type { Evaluation, JsonValue } from '@burgee/sdk'
import { element } from './element.ts'
import { formatValue, kindOf, parseValue, type ValueKind } from './value-kind.ts'

/** One flag of the list. */
export interface FlagRow {
  readonly root: HTMLLIElement
  update(evaluation: Evaluation, isForced: boolean): void
}

type Force = (value: JsonValue | undefined) => void

/** @param force Forces a value; undefined releases it. */
export function createFlagRow(flagKey: string, force: Force): FlagRow {
  const reason = element('span', { class: 'reason' })
  const problem = element('p', { class: 'problem', role: 'alert' })
  const release = element('button', { type: 'button', 'aria-label': `Reset ${flagKey}` }, 'Reset')
  const place = element('div', { class: 'control' })
  const root = element(
    'li',
    {},
    element('div', { class: 'name' }, element('code', {}, flagKey), reason),
    place,
    problem,
  )
  let kind: ValueKind | null = null
  let show = (_evaluation: Evaluation, _isForced: boolean): void => {}
  release.addEventListener('click', () => {
    const control = place.querySelector<HTMLElement>('select, input')
    problem.textContent = ''
    control?.removeAttribute('aria-invalid')
    force(undefined)
    // The button is gone now.
    control?.focus()
  })

  function build(next: ValueKind): void {
    kind = next
    const label = `Value of ${flagKey}`
    const control = next === 'boolean' ? createSwitch(label, force) : createField(label, next, force, problem)
    show = control.show
    place.replaceChildren(control.root, release)
  }

  return {
    root,
    update(evaluation, isForced) {
      const next = kindOf(evaluation.value)
      if (next !== kind) build(next)
      show(evaluation, isForced)
      root.classList.toggle('forced', isForced)
      release.hidden = !isForced
      reason.textContent = isForced ? 'forced in this browser' : describeReason(evaluation)
    },
  }
}

interface Control {
  readonly root: HTMLElement
  show(evaluation: Evaluation, isForced: boolean): void
}

function createSwitch(label: string, force: Force): Control {
  const root = element('select', { 'aria-label': label })
  const unforced = element('option', { value: '' })
  root.append(unforced, element('option', {}, 'true'), element('option', {}, 'false'))
  root.addEventListener('change', () => force(root.value === '' ? undefined : root.value === 'true'))
  return {
    root,
    show({ value }, isForced) {
      unforced.textContent = isForced ? 'not forced' : `${value} (not forced)`
      root.value = isForced ? String(value) : ''
    },
  }
}

/** A field forces its value when it is left or Enter is pressed. */
function createField(label: string, kind: ValueKind, force: Force, problem: HTMLElement): Control {
  const root = element('input', {
    type: 'text',
    'aria-label': label,
    spellcheck: 'false',
    autocomplete: 'off',
  })
  root.addEventListener('change', () => {
    problem.textContent = ''
    root.removeAttribute('aria-invalid')
    try {
      force(parseValue(root.value, kind))
    } catch (error) {
      root.setAttribute('aria-invalid', 'true')
      problem.textContent = error instanceof Error ? error.message : ''
      problem.scrollIntoView({ block: 'nearest' })
    }
  })
  return {
    root,
    show({ value }) {
      // A text that is being written is not replaced by an update.
      if (root.matches(':focus') || root.hasAttribute('aria-invalid')) return
      root.value = formatValue(value)
    },
  }
}

function describeReason({ reason, variant, value }: Evaluation): string {
  const words = reason.toLowerCase().replaceAll('_', ' ')
  return variant === undefined || variant === formatValue(value) ? words : `${words}, ${variant}`
}
