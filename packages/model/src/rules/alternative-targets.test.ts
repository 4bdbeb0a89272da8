import { expect, it } from 'vitest'
import { limits } from '../limits.ts'
import { newUid } from '../uid.ts'
import { alternativeTargets } from './alternative-targets.ts'

const target = (name: string, path = '', attribute = 'id') => ({ entity: { id: -1, name, path }, attribute })
const longest = 'x'.repeat(limits.targetText)

it('the name, path and attribute of another target are as long as can be stored of a path, and no longer', () => {
  expect(alternativeTargets([target(longest, longest, longest)])).toBeUndefined()
  for (const given of [target(`${longest}x`), target('a', `${longest}x`), target('a', '', `${longest}x`)])
    expect(alternativeTargets([target('a'), given])).toBe('Each text of another target can have up to 1000 characters.')
})

it('what is written of another target has no characters that are not seen; what comes of an entity that is there may', () => {
  const message = '"in‹U+202E›voice" holds characters that are not seen.'
  const hidden = 'in\u202Evoice'
  for (const given of [target(hidden), target('a', hidden), target('a', '', hidden)])
    expect(alternativeTargets([target('a'), given])).toBe(message)
  const found = { entity: { id: 7, name: hidden, path: hidden }, attribute: hidden, attributeUid: newUid() }
  expect(alternativeTargets([found])).toBeUndefined()
  expect(alternativeTargets([{ entity: found.entity, attribute: hidden }])).toBe(message)
})

it('one that was there is not refused', () => {
  for (const imported of [target('a', `${longest}x`), target('a\u200Bb')])
    expect(alternativeTargets([target('b'), imported], [imported])).toBeUndefined()
})
