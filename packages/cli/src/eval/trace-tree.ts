import { type Colors, printable } from '../output/output.ts'
import {
  describeCondition,
  describeRollout,
  describeRule,
  describeValue,
  type EvaluatedFlag,
  formatValue,
  nameRule,
  type Trace,
} from './describe-result.ts'

interface Branch {
  readonly text: string
  readonly below?: readonly Branch[]
}

/** Returns the result of a flag, with its steps as a tree. */
export function traceTree(flag: EvaluatedFlag, colors: Colors): string {
  const { enabled, flag_key, reason, trace, value, variant } = flag
  const name = variant === undefined || variant === String(value) ? '' : ` (${variant})`
  const head = `${colors.bold(flag_key)} = ${formatValue(value)}${name}, ${enabled ? 'enabled' : 'not enabled'}: ${reason}`
  const message = flag.message === undefined ? '' : `: ${flag.message}`
  const lines = trace ? draw(branchesOf(trace), '') : []
  return `${[head + message, ...lines]
    .map(printable)
    .map((line) => paintDecided(line, colors))
    .join('\n')}\n`
}

const DECIDED = ' ← decided'
const paintDecided = (line: string, { green }: Colors): string =>
  line.endsWith(DECIDED) ? line.slice(0, -DECIDED.length) + green(DECIDED) : line

function branchesOf(trace: Trace): Branch[] {
  const { decided, rollout, rules, value } = trace
  const at = STEPS.indexOf(decided)
  const steps: Readonly<Record<Trace['decided'], Branch>> = {
    prerequisites: { text: 'prerequisites', below: prerequisiteBranches(trace) },
    switch: { text: `switch: ${trace.switch}` },
    rules: { text: rules.length === 0 ? 'rules: none' : 'rules', below: ruleBranches(trace) },
    rollout: { text: `rollout: ${describeRollout(rollout)}` },
    value: { text: `value: ${describeValue(value)}` },
  }
  return STEPS.slice(0, at + 1).flatMap((name) => {
    const step = steps[name]
    if (name === 'prerequisites' && step.below?.length === 0) return []
    return [name === decided ? { ...step, text: step.text + DECIDED } : step]
  })
}

const STEPS: readonly Trace['decided'][] = ['prerequisites', 'switch', 'rules', 'rollout', 'value']

function prerequisiteBranches({ omitted_prerequisites, prerequisites }: Trace): Branch[] {
  const branches = prerequisites.map(({ flag_key, reason, required_value, state, trace, value }): Branch => {
    const wanted = required_value === null ? 'has to be on' : `has to give ${formatValue(required_value)}`
    const given = reason === undefined ? '' : `: it gives ${formatValue(value)}, ${reason}`
    const text = `${flag_key} ${wanted}: ${state.replace('_', ' ')}${given}`
    // The contract describes a nested trace as any JSON, because schemas have no end otherwise.
    return trace && state === 'failed' ? { text, below: branchesOf(trace as unknown as Trace) } : { text }
  })
  return [...branches, ...more(omitted_prerequisites)]
}

function ruleBranches({ omitted_rules, rules }: Trace): Branch[] {
  const branches = rules.map((rule): Branch => {
    const below = rule.conditions.map((condition) => ({
      text: `${condition.holds ? '✓' : '✗'} ${describeCondition(condition)}`,
    }))
    return { text: `${nameRule(rule.origin)}: ${describeRule(rule)}`, below }
  })
  return [...branches, ...more(omitted_rules)]
}

const more = (count = 0): Branch[] => (count === 0 ? [] : [{ text: `and ${count} more` }])

function draw(branches: readonly Branch[], indent: string): string[] {
  return branches.flatMap(({ below = [], text }, at) => {
    const isLast = at === branches.length - 1
    return [`${indent}${isLast ? '└─' : '├─'} ${text}`, ...draw(below, `${indent}${isLast ? '   ' : '│  '}`)]
  })
}
