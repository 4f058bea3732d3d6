import type { ConstraintPlace } from './unleash-constraints.ts'

/** Returns the attribute that divides users; undefined for the user key. */
export function attributeOfStickiness(
  stickiness: string | null,
  { notes, path }: Pick<ConstraintPlace, 'notes' | 'path'>,
): string | undefined {
  if (stickiness === 'userId') return undefined
  if (stickiness === 'random')
    notes.lower('approximated', {
      ...{ code: 'random', path },
      message: 'It draws users by chance each time. In Burgee a user stays where they are.',
    })
  else if (stickiness === null || stickiness === 'default')
    notes.remark(
      'default_stickiness',
      path,
      'A user without a userId is divided by session there. In Burgee they count as anonymous.',
    )
  else return stickiness
  return undefined
}
