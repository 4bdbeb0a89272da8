import { describe, expect, it } from 'vitest'
import { columnsInOrder } from '../columns.ts'
import { applyEntityEdits } from '../edits/entity-edits.ts'
import { withValues } from '../enumeration.ts'
import type { EntityContent } from '../entity.ts'
import { anEntityContent, aTypeAttribute } from '../testing/builders.ts'
import { columnsById } from './columns.ts'
import { writeCells } from './write-cells.ts'

const enumerations = [
  withValues({ uid: 'e', name: 'State', description: '', values: [] }, ['new', 'done']),
  withValues({ uid: 'f', name: 'Size', description: '', values: [] }, ['s']),
]
const content = anEntityContent({
  typeAttributes: [
    { ...aTypeAttribute({ name: 'first' }), position: 0 },
    { ...aTypeAttribute({ name: 'second', choices: ['new', 'done'] }), position: 1 },
  ],
})

/** Writes texts into the cells of choices of both rows. */
function write(before: EntityContent, ...texts: string[]) {
  const block = {
    rows: columnsInOrder(before),
    columns: [columnsById.get('choices')],
    texts: texts.map(text => [text]),
  }
  const { edits, problems } = writeCells(before, block, { enumerations })
  const after = applyEntityEdits(before, edits)
  const chosen = after.typeAttributes.map(({ choices, enumeration }) => [enumeration?.name ?? null, choices])
  const shown = columnsInOrder(after).map(row => columnsById.get('choices')?.text(row))
  return { edits, problems, after, chosen, shown }
}

describe('The cell of choices', () => {
  it('takes the name of an enumeration of the manifest, and shows it', () => {
    const { after, chosen, shown, problems } = write(content, 'State', 'size ')
    expect(chosen).toEqual([
      ['State', ['new', 'done']],
      ['Size', ['s']],
    ])
    expect([shown, problems.size]).toEqual([['State', 'Size'], 0])
    expect(write(after, 'State', 'Size').edits).toEqual([])
    expect(write(content, '', 'State').chosen[1]).toEqual(['State', ['new', 'done']])
  })

  it('that takes a list, or is cleared, has no enumeration any more', () => {
    const { after } = write(content, 'State', 'Size')
    expect(write(after, 'new, done', '').chosen).toEqual([
      [null, ['new', 'done']],
      [null, []],
    ])
  })

  it('takes any other name as a choice', () => {
    expect(write(content, 'Colour', 'new, done').chosen).toEqual([
      [null, ['Colour']],
      [null, ['new', 'done']],
    ])
  })
})
