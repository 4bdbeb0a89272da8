import { describe, expect, it } from 'vitest'
import { quotationsIn, requirementIds, specificationPage, titleProblems } from './requirements.ts'

const TABLE = `Number of rows: 3.

| id | § | kind |
|---|---|---|
| E1.1 | 1 | a screen, like M9.9 |
| E1.2 | 1 | a role |
| E1.3 | 1 | held by nothing |
| M2.10 | 1 | a rule |
`

// Assembled, so that this file does not quote any requirement.
const id = (letter: string, number: string): string => letter + number
const SOURCE = `it('says nothing of E 1.2', () => {})
it('shuts, it\\'s said', holds('${id('E', '1.2')}', '${id('M', '2.10')}'), () => {})
it(
  'a long one',
  holds('${id('E', '1.1')}'),
  async () => {},
)
it('takes long', { ...holds('${id('M', '2.10')}'), timeout: 9 }, () => {})`
const TITLED = `it('${id('E', '1.1')} ${id('M', '2.10')} opens', () => {})
it.each([["a case of ${id('E', '1.2')}", 1]])('%s', () => {})`

describe('the specification page', () => {
  it('reads ids from the first column', () => {
    expect(requirementIds(TABLE)).toEqual([id('E', '1.1'), id('E', '1.2'), id('E', '1.3'), id('M', '2.10')])
  })

  it('finds ids in the options beside titles', () => {
    expect(quotationsIn('x.test.ts', SOURCE)).toEqual([
      { id: id('E', '1.2'), file: 'x.test.ts', title: "shuts, it's said" },
      { id: id('M', '2.10'), file: 'x.test.ts', title: "shuts, it's said" },
      { id: id('E', '1.1'), file: 'x.test.ts', title: 'a long one' },
      { id: id('M', '2.10'), file: 'x.test.ts', title: 'takes long' },
    ])
  })

  it('rejects ids in titles and in tables of cases', () => {
    expect(titleProblems('x.test.ts', SOURCE)).toEqual([])
    expect(titleProblems('x.test.ts', TITLED)).toEqual([
      `x.test.ts: the ids of '${id('E', '1.1')} ${id('M', '2.10')} opens' belong beside it, in holds().`,
      `x.test.ts: the ids of 'a case of ${id('E', '1.2')}' belong beside it, in holds().`,
    ])
  })

  it('lists requirements without a test', () => {
    const page = specificationPage(requirementIds(TABLE), quotationsIn('x.test.ts', SOURCE), [])
    expect(page).toContain('3 of 4 requirements are quoted by a test; 1 are not yet.')
    expect(page).toContain(`| ${id('E', '1.1')} | \`x.test.ts\` a long one |`)
    expect(page).toContain(`Without a test: ${id('E', '1.3')}`)
  })
})
