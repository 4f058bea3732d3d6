import { FLAG_EXTENSIONS, RULE_DESCRIPTION_MAX_LENGTH, type Segment } from '@burgee/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyDraft, draftOf, FURTHER_FIELDS, patchOf } from '../../../src/features/flags/editor/draft.ts'
import { draftText } from '../../../src/features/flags/editor/draft-text.ts'
import {
  joinLinks,
  joinMetadata,
  readLinks,
  readMetadata,
} from '../../../src/features/flags/editor/fact-lines.ts'
import { findSegmentUsage } from '../../../src/features/segments/segment-usage.ts'
import { missingSegments } from '../../../src/parts/promote/missing-segments.ts'
import { RULE_DESCRIPTION_MAX } from '../../../src/parts/rules/rule-description.ts'
import { shareOf, toShare } from '../../../src/parts/weights/share-input.tsx'
import { applyPatch } from '../../../src/shared/diff/apply-patch.ts'
import { aFlag } from '../a-flag.ts'

describe('the fields that a flag has only where they are set', () => {
  it('are those of the contract', () => {
    expect(FURTHER_FIELDS).toEqual(FLAG_EXTENSIONS)
    expect(RULE_DESCRIPTION_MAX).toBe(RULE_DESCRIPTION_MAX_LENGTH)
  })

  it('stay in the draft, in its JSON and in the flag that it leaves', () => {
    const flag = aFlag({ bucket_by: 'company', metadata: { team: 'web' } })
    const draft = draftOf(flag)
    expect(JSON.parse(draftText('f', draft))).toMatchObject({
      bucket_by: 'company',
      metadata: { team: 'web' },
    })
    expect(applyDraft(flag, draft)).toEqual(flag)
    expect(patchOf(flag, draft)).toEqual({})
  })

  it('are set and unset by a patch', () => {
    const flag = aFlag({ bucket_by: 'company' })
    const draft = { ...draftOf(flag), bucket_by: undefined, lifetime: 'permanent' as const }
    expect(patchOf(flag, draft)).toEqual({ bucket_by: null, lifetime: 'permanent' })
    expect(applyDraft(flag, draft)).not.toHaveProperty('bucket_by')
  })
})

describe('lines of facts', () => {
  const text = fc
    .stringMatching(/^[a-z0-9"{ .-]{1,12}$/)
    .map((each) => each.trim())
    .filter((each) => each !== '')
  const name = fc.stringMatching(/^[a-z_]{1,8}$/)

  it('metadata survives being written as lines', () => {
    const odd = fc.constantFrom('true', '12', '"x"', 'null', ' pad ', 'line\nbreak', 'a: b', '')
    const values = fc.oneof(text, fc.integer(), fc.boolean(), odd)
    const names = fc.oneof(name, fc.constantFrom('e:f', ' g', '"q"', 'line\nbreak', 'a b'))
    fc.assert(
      fc.property(fc.dictionary(names, values, { minKeys: 1 }), (metadata) => {
        expect(readMetadata(joinMetadata(metadata))).toEqual({ ...metadata })
      }),
    )
  })

  it('links survive being written as lines, and no line is no link', () => {
    const links = [
      { title: 'Ticket 17', url: 'https://t.example.com/17' },
      { title: 'https://x.example.com', url: 'https://x.example.com' },
    ]
    expect(readLinks(joinLinks(links))).toEqual(links)
    expect(readLinks(' \n')).toBeUndefined()
  })
})

describe('a condition on a segment', () => {
  const condition = { segment_key: 'staff', operator: 'in_segment' as const }
  const rules = [{ attribute: 'plan', operator: 'is_set' as const, values: [], conditions: [condition] }]
  const staff = { key: 'staff', name: 'Staff', rules: [] } as unknown as Segment

  it('is a use of the segment, and something to copy', () => {
    const usage = findSegmentUsage('staff', [aFlag({ rules })], [staff])
    expect(usage.flags).toHaveLength(1)
    expect(usage.resentCount).toBe(1)
    expect(missingSegments(rules, { source: [staff], target: [] })).toEqual(['staff'])
  })
})

describe('a patch of the rollout', () => {
  it('shows the other form of the share as the server sets it', () => {
    const flag = aFlag({ rollout_percentage: 12, rollout_thousandths: 12_500 })
    expect(applyPatch(flag, { rollout_percentage: 50 })).not.toHaveProperty('rollout_thousandths')
    expect(applyPatch(flag, { rollout_thousandths: 50_500 }).rollout_percentage).toBe(50)
  })
})

describe('a share of users', () => {
  it.each([
    [25, { rollout_percentage: 25, rollout_thousandths: undefined }],
    [12.5, { rollout_percentage: 12, rollout_thousandths: 12_500 }],
    [0.001, { rollout_percentage: 0, rollout_thousandths: 1 }],
    [99.999, { rollout_percentage: 99, rollout_thousandths: 99_999 }],
  ])('%d percent is written as %o', (percentage, share) => {
    expect(toShare(percentage)).toEqual(share)
    expect(shareOf(share)).toBe(percentage)
  })
})
