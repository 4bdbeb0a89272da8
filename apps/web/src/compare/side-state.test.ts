import { describe, expect, it } from 'vitest'
import { proposedSides, takenInto, withDraft } from './side-state.ts'

const now = { kind: 'now' } as const
const draft = { kind: 'draft' } as const
const version = { kind: 'version', version: '1.0.0' } as const

describe('The sides of a comparison', () => {
  it('are proposed from the newest older version, or the one shown, to the draft or now', () => {
    expect(proposedSides(['1.1.0', '1.0.0'], undefined, false)).toMatchObject({
      before: { version: '1.1.0' },
      after: now,
    })
    expect(proposedSides(['1.1.0', '1.0.0'], '1.0.0', true)).toEqual({ before: version, after: draft })
    expect(proposedSides([], undefined, true)).toEqual({ before: now, after: draft })
    expect(proposedSides([], undefined, false)).toBeNull()
  })

  it('differences are taken into the draft, else the present state, which becomes the draft', () => {
    expect(takenInto({ before: version, after: now })).toBe('after')
    expect(takenInto({ before: now, after: version })).toBe('before')
    expect(takenInto({ before: now, after: draft })).toBe('after')
    expect(takenInto({ before: draft, after: now })).toBe('before')
    expect(takenInto({ before: version, after: { ...version, version: '1.1.0' } })).toBeNull()
    expect(withDraft({ before: now, after: version })).toEqual({ before: draft, after: version })
    expect(withDraft({ before: version, after: version })).toEqual({ before: version, after: version })
  })
})
