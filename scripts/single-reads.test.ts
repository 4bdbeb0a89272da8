import { expect, it } from 'vitest'
import { readersOf, singleReads } from './single-reads.ts'

const problemsOf = (source: string, readers?: ReadonlySet<string>) => singleReads('a.test.ts', source, readers)
const first = ['a.test.ts:1: expects of a value that was read once.']

it.each([
  ['a read in its argument', 'expect(await rows.count()).toBe(1)'],
  ['a part of a read', "expect((await row.getAttribute('id'))?.length).toBe(1)"],
  ['a value read before', 'const [one] = await rows.allTextContents(); expect(one).toBe(1)'],
  ['a value read in a function', 'it("", async () => { const one = await row.boundingBox(); expect(one?.x).toBe(1) })'],
  ['a function that reads', 'const shown = async () => (await rows.count()) - 1; expect(await shown()).toBe(1)'],
  ['a function that calls one', 'const a = () => r.count(); function b() { return a() } expect(await b()).toBe(1)'],
  ['a soft expectation', 'expect.soft(await rows.isVisible()).toBe(true)'],
])('an expectation of %s is reported', (_, source) => {
  expect(problemsOf(source)).toEqual(first)
})

it.each([
  ['polls', 'await expect.poll(() => rows.count()).toBe(1)'],
  ['polls a function that reads', 'const shown = () => rows.count(); await expect.poll(shown).toBe(1)'],
  [
    'is about an answer to a value read before',
    'const id = await field.inputValue(); expect(await answerTo(id)).toBe(1)',
  ],
  ['is about the result of a script', 'expect(await page.evaluate(() => caller.send())).toBe(1)'],
  [
    'follows a function that reads but returns nothing',
    'const a = async () => { await r.count() }; expect(await a()).toBe(1)',
  ],
])('an expectation that %s is not reported', (_, source) => {
  expect(problemsOf(source)).toEqual([])
})

it('an expectation of a function of another file is reported if that function reads', () => {
  const readers = readersOf(
    'export function names(page) { return page.rows.allTextContents() }\nexport function press() {}',
  )
  expect([...readers]).toEqual(['names'])
  expect(problemsOf('expect(await names(page)).toEqual([])', readers)).toEqual(first)
})
