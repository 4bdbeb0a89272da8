import { expect, it } from 'vitest'
import { writeCsv } from './csv.ts'

it('writeCsv quotes every cell and doubles quotes', () => {
  expect(
    writeCsv([
      ['a', 'b,c'],
      ['say "x"', 'one\ntwo'],
    ]),
  ).toBe('\uFEFF"a","b,c"\r\n"say ""x""","one\ntwo"\r\n')
})

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', "=cmd|'/c calc'!A1"])(
  'writeCsv escapes the formula prefix of %j',
  text => {
    expect(writeCsv([[text]])).toBe(`\uFEFF"'${text}"\r\n`)
  },
)

it('writeCsv leaves cells without a formula prefix unchanged', () => {
  expect(writeCsv([['a=b', '', ' =x']])).toBe('\uFEFF"a=b",""," =x"\r\n')
})
