import { expect, it } from 'vitest'
import { limits } from '../limits.ts'
import { alternativeTargets } from './alternative-targets.ts'

const target = (name: string, path = '', attribute = 'id') => ({ entity: { id: -1, name, path }, attribute })
const longest = 'x'.repeat(limits.targetText)

it('limits the name, path and attribute of an alternative target to 1000 characters', () => {
  expect(alternativeTargets([target(longest, longest, longest)])).toBeUndefined()
  for (const invalid of [target(`${longest}x`), target('a', `${longest}x`), target('a', '', `${longest}x`)])
    expect(alternativeTargets([target('a'), invalid])).toBe(
      'Each text of another target can have at most 1000 characters.',
    )
})

it('keeps an existing alternative target that is too long', () => {
  const imported = target('a', `${longest}x`)
  expect(alternativeTargets([target('b'), imported], [imported])).toBeUndefined()
})
