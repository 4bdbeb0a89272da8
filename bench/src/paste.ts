import { applyEntityEdits } from '@cadmus/model/edits/entity-edits'
import { newEntityContent } from '@cadmus/model/entity'
import { readClipboard } from '@cadmus/model/sheet/clipboard'
import { sheetColumns } from '@cadmus/model/sheet/columns'
import { pasteBlock } from '@cadmus/model/sheet/paste'
import { invalidCells, writeCells } from '@cadmus/model/sheet/write-cells'

// Thread time of pasting 1,000 rows of eight cells into the attribute sheet, without the page: first, median and best.

const types = ['int', 'varchar(40)', 'decimal(10,2)', 'bool', 'date']
const heads = ['Name', 'Type', 'Length', 'Nullable', 'Default', 'Unique', 'Indexed', 'Description'].join('\t')
const lines = Array.from({ length: 1000 }, (_, index) =>
  [`column${index}`, types[index % 5], '', 'yes', index % 5 === 0 ? '5' : '', 'no', '', `"two\nlines ${index}"`].join(
    '\t',
  ),
)
const text = [heads, ...lines].join('\r\n')
const content = newEntityContent({ name: 'Bench' })

function paste(): void {
  const read = readClipboard({ text })
  if ('refusal' in read) throw new Error(read.refusal)
  const block = pasteBlock(content, read.cells, { rows: [], columns: sheetColumns, chosen: { rows: 1, columns: 1 } })
  if ('refusal' in block) throw new Error(block.refusal)
  const { edits } = writeCells(content, block)
  invalidCells(applyEntityEdits(content, edits), content)
}

const times = Array.from({ length: 20 }, () => {
  const before = process.threadCpuUsage()
  paste()
  return process.threadCpuUsage(before).user / 1000
})
const [first = 0] = times
const [best = 0, median = 0] = [Math.min(...times), times.toSorted((a, b) => a - b)[10]]
console.log(`first ${first.toFixed(0)} ms, median ${median.toFixed(0)} ms, best ${best.toFixed(0)} ms`)
