import { describe, expect, it } from 'vitest'
import { limits } from '../limits.ts'
import { type HtmlTable, htmlOfCells, readClipboard, textOfCells } from './clipboard.ts'

const cells = (text: string, table: HtmlTable | null = null) => readClipboard({ text, table: () => table })

/** A table without merged cells. */
const html = (...rows: string[][]): HtmlTable => rows.map(row => row.map(text => ({ text, colSpan: 1, rowSpan: 1 })))

const notes = [
  ['Name', 'Description'],
  ['title', 'Two\nlines, "quoted"'],
  ['pipe', '5" pipe'],
]

describe('text of the clipboard', () => {
  it.each([
    ['Excel', 'Name\tDescription\r\ntitle\t"Two\nlines, ""quoted"""\r\npipe\t5" pipe\r\n'],
    ['Google Sheets', 'Name\tDescription\ntitle\t"Two\nlines, ""quoted"""\npipe\t5" pipe'],
    ['LibreOffice', 'Name\tDescription\ntitle\t"Two\nlines, ""quoted"""\npipe\t"5"" pipe"\n'],
    ['Numbers', 'Name\tDescription\rtitle\t"Two\rlines, ""quoted"""\rpipe\t5" pipe'],
    ['a CSV file of Excel in Germany', 'Name;Description\r\ntitle;"Two\r\nlines, ""quoted"""\r\npipe;"5"" pipe"\r\n'],
    ['a CSV file', 'Name,Description\ntitle,"Two\nlines, ""quoted"""\npipe,"5"" pipe"\n'],
  ])('of %s is read as its cells', (_from, text) => {
    expect(cells(text)).toEqual({ cells: notes })
  })

  it('of one cell is one cell, whatever it contains', () => {
    for (const text of ['a, b; c', 'new;done', '5" pipe', '"', '"a', '"a"b', 'a|b'])
      expect(cells(text)).toEqual({ cells: [[text]] })
    expect(cells('"Two\nlines"')).toEqual({ cells: [['Two\nlines']] })
    expect(cells('value\r\n')).toEqual({ cells: [['value']] })
    expect(cells('')).toEqual({ cells: [['']] })
  })

  it('keeps blank cells and rows', () => {
    expect(cells('a\t\r\n\t\r\n\tb\r\n')).toEqual({
      cells: [
        ['a', ''],
        ['', ''],
        ['', 'b'],
      ],
    })
  })

  it('of several lines is a list with separators only if it has headings or names with types', () => {
    expect(cells('name,varchar(40)\nprice,decimal')).toEqual({
      cells: [
        ['name', 'varchar(40)'],
        ['price', 'decimal'],
      ],
    })
    expect(cells('Yes, it is\nNo, it is not')).toEqual({ cells: [['Yes, it is'], ['No, it is not']] })
  })
})

describe('a table of the clipboard', () => {
  it('replaces text that lost the line breaks of its cells', () => {
    expect(
      cells('Name\tDescription\ntitle\tTwo\nlines', html(['Name', 'Description'], ['title', 'Two\nlines'])),
    ).toEqual({
      cells: [
        ['Name', 'Description'],
        ['title', 'Two\nlines'],
      ],
    })
  })

  it('is not read where the text has all cells, or where it is only layout', () => {
    const unread = () => expect.fail('The table was read.')
    expect(readClipboard({ text: 'a\tb\r\n', table: unread })).toEqual({ cells: [['a', 'b']] })
    expect(cells('A sentence.', html(['A sentence.']))).toEqual({ cells: [['A sentence.']] })
  })

  it('has blank cells where a cell covers several columns or rows', () => {
    const table = [
      [
        { text: 'Customer', colSpan: 1, rowSpan: 3 },
        { text: 'id', colSpan: 1, rowSpan: 1 },
        { text: 'int', colSpan: 1, rowSpan: 2 },
      ],
      [{ text: 'number', colSpan: 1, rowSpan: 1 }],
      [{ text: 'both', colSpan: 2, rowSpan: 1 }],
      [
        { text: 'a', colSpan: 1, rowSpan: 1 },
        { text: 'b', colSpan: 1, rowSpan: 1 },
        { text: 'c', colSpan: 1, rowSpan: 1 },
      ],
    ]
    expect(cells('', table)).toEqual({
      cells: [
        ['Customer', 'id', 'int'],
        ['', 'number', ''],
        ['', 'both', ''],
        ['a', 'b', 'c'],
      ],
    })
  })
})

describe('a paste that is too large', () => {
  it('is refused with the limit and its size', () => {
    expect(cells('a\tb\n'.repeat(100_000))).toEqual({
      refusal: 'A paste can have at most 5,001 rows; this one has 100,000.',
    })
    expect(cells('\t'.repeat(200))).toEqual({ refusal: 'A paste can have at most 200 columns; this one has 201.' })
    expect(cells('x'.repeat(limits.paste.text + 1))).toEqual({ refusal: 'A paste can have at most 8 MB of text.' })
  })

  it('is refused if its cells cover more columns and rows than there are', () => {
    const huge = { text: 'x', colSpan: 1e9, rowSpan: 1e9 }
    expect(cells('', [[huge], [huge]])).toMatchObject({ refusal: expect.stringContaining('has 201') })
    expect(cells('', html(...Array.from({ length: 6000 }, () => ['a', 'b'])))).toMatchObject({
      refusal: expect.stringContaining('has 6,000'),
    })
  })

  it.each([
    ['quotes', '"'],
    ['opening quotes', '\t"x'],
    ['pairs of quotes', '""\t""""'],
    ['line ends', '\r\n'],
  ])('is read in linear time with many %s', (_what, part) => {
    expect(cells(part.repeat(200_000))).toBeDefined()
  })
})

it('copied text and HTML are read as the same cells', () => {
  const odd = [...notes, ['"leading', 'tab\there'], ['', ' spaces '], ['a\n', '&lt;b>']]
  expect(cells(textOfCells(odd))).toEqual({ cells: odd })
  expect(htmlOfCells([['a & <b>', '5" pipe\nnext']])).toBe(
    '<table><tr><td>a &amp; &lt;b&gt;</td><td>5&quot; pipe<br>next</td></tr></table>',
  )
})
