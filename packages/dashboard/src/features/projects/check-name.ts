import { NAME_MAX_LENGTH } from '@burgee/contract'

/** The problem of a project's name; empty if it fits. */
export function checkName(name: string): string {
  if (name.trim() === '') return 'Enter a name.'
  return name.length > NAME_MAX_LENGTH ? `At most ${NAME_MAX_LENGTH} characters.` : ''
}
