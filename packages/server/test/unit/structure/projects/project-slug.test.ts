import { describe, expect, it } from 'vitest'
import { numberedSlug, projectSlug } from '../../../../src/structure/projects/project-slug.ts'

describe('the slug of a project', () => {
  it.each([
    ['Shop', 'shop'],
    ['My  Web Shop!', 'my-web-shop'],
    ['  --Shop--  ', 'shop'],
    ['Café Münster', 'cafe-munster'],
    ['Ångström', 'angstrom'],
    ['Straße', 'strasse'],
    ['Łódź Ørsted', 'lodz-orsted'],
    ['İstanbul', 'istanbul'],
    ['A_b.c/d', 'a-b-c-d'],
    ['v2 2026', 'v2-2026'],
    ['ﬁne ２', 'fine-2'],
    ['a😀b', 'a-b'],
  ])(
    'the slug is the name in lower case without accents, with hyphens for other characters: %j is %j',
    (name, slug) => {
      expect(projectSlug(name)).toBe(slug)
    },
  )

  it.each(['!!!', '日本語', 'Проект', '—', '😀'])('the slug is none when nothing is left of %j', (name) => {
    expect(projectSlug(name)).toBeNull()
  })

  it('is numbered where it does not come from a name', () => {
    expect([1, 2, 11].map(numberedSlug)).toEqual(['project', 'project-2', 'project-11'])
  })

  it('the slug has at most 64 characters', () => {
    expect(projectSlug('a'.repeat(200))).toBe('a'.repeat(64))
  })

  it('the slug does not end with a hyphen after a cut', () => {
    expect(projectSlug(`${'a'.repeat(63)} b`)).toBe('a'.repeat(63))
  })
})
