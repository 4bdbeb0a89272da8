import { expect, it } from 'vitest'
import { seededRandom } from '../testing/seeded-random.ts'
import { lineChanges } from './line-changes.ts'

it('a new line between others is one change, also beside equal ones', () => {
  expect(lineChanges('a\n}\n\nb\n}\n', 'a\n}\n\n// new\nb\n}\n')).toEqual([{ from: 5, to: 5, insert: '// new\n' }])
})

it('changes at both ends of a text leave what is between alone', () => {
  expect(lineChanges('a\nb\nc', 'x\nb\nc\nd')).toEqual([
    { from: 0, to: 2, insert: 'x\n' },
    { from: 4, to: 5, insert: 'c\nd' },
  ])
})

it('any text is turned into any other', () => {
  const random = seededRandom(1)
  const text = () =>
    Array.from({ length: random.between(0, 12) }, () => random.pick(['a', 'b', 'c', '', '}'])).join('\n')
  for (let round = 0; round < 500; round += 1) {
    const [before, after] = [text(), text()]
    const inPlace = lineChanges(before, after).toReversed()
    const changed = inPlace.reduce((now, { from, to, insert }) => now.slice(0, from) + insert + now.slice(to), before)
    expect(changed).toBe(after)
  }
})
