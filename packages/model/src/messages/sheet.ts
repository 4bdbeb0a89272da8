import { formatCount, visibleText } from '../display.ts'

/** Texts of the attribute sheet: reasons why a cell cannot take a text, and refused pastes. */
export const sheetTexts = {
  cellsLeft: (count: number) =>
    count === 1
      ? 'One cell was not saved, because its text is not valid.'
      : `${formatCount(count)} cells were not saved, because their texts are not valid.`,
  /** Cells that Save All left, by document. */
  cellsLeftIn: (documents: readonly { name: string; count: number }[]) => {
    const total = documents.reduce((sum, { count }) => sum + count, 0)
    const named = documents.slice(0, 5).map(({ name, count }) => `${short(name)} (${formatCount(count)})`)
    const more = documents.length > 5 ? ` and ${formatCount(documents.length - 5)} more` : ''
    return `${sheetTexts.cellsLeft(total).slice(0, -1)}: ${named.join(', ')}${more}.`
  },
  unknownType: (text: string) => `"${short(text)}" is not a known data type.`,
  keyType: 'A foreign key is an integer or a string.',
  noFlag: (text: string) => `"${short(text)}" is neither yes nor no.`,
  noOption: (options: readonly string[]) => `this must be one of: ${options.join(', ')}.`,
  length: 'this must contain only digits, or two numbers such as 10,2.',
  notInRelationship: (label: string) => `${label} does not apply to relationships.`,
  notInType: (label: string, dataType: string) => `${label} does not apply to the data type ${dataType}.`,
  unknownTarget: (text: string) => `"${short(text)}" is not a known entity and attribute, such as Customer.id.`,
  furtherTarget: (limit: number) =>
    `A paste looks up at most ${formatCount(limit)} different targets. Paste this one again.`,
  tooLong: (limit: number, length: number) =>
    `A cell can have at most ${formatCount(limit)} characters; this one has ${formatCount(length)}.`,
  tooManyRows: (limit: number, rows: number) =>
    `A paste can have at most ${formatCount(limit)} rows; this one has ${formatCount(rows)}.`,
  tooManyColumns: (limit: number, columns: number) =>
    `A paste can have at most ${formatCount(limit)} columns; this one has ${formatCount(columns)}.`,
  pasted: (rows: number, cells: number) => {
    return `Pasted ${rows === 1 ? 'a row' : `${formatCount(rows)} rows`}.${toLookAt(cells)}`
  },
  /** Columns of a paste whose headings are unknown or repeated; some may have none. */
  unread: (headings: readonly string[]) => {
    const named = headings.slice(0, 5).map(heading => (heading === '' ? 'one without a heading' : short(heading)))
    const more = headings.length > 5 ? ` and ${formatCount(headings.length - 5)} more` : ''
    return `Columns not pasted: ${named.join(', ')}${more}.`
  },
  added: (copies: number, cells: number) =>
    `Added ${copies === 1 ? 'a copy' : `${formatCount(copies)} copies`}.${toLookAt(cells)}`,
  moved: (rows: number) => `Moved ${rows === 1 ? 'a row' : `${formatCount(rows)} rows`}.`,
  otherEntities: (name: string) => `The rows are for several entities, and none is for ${visibleText(name)}.`,
  inheritedFrom: (entity: string) => `Inherited from ${entity}.`,
  inherited: 'Extended attributes are changed in the entity that declares them.',
  noOtherEntity: 'There is no other entity in the manifest or in the open tabs.',
  nothingToPaste: 'The clipboard has no text.',
  changedSince: 'There were later changes. Undo them first.',
  tooLarge: (limit: number) => `A paste can have at most ${formatCount(limit / 1024 / 1024)} MB of text.`,
}

function toLookAt(cells: number): string {
  return cells === 0 ? '' : ` ${formatCount(cells)} ${cells === 1 ? 'cell' : 'cells'} to look at (F8).`
}

function short(text: string): string {
  const trimmed = text.trim()
  return visibleText(trimmed.length > 60 ? `${trimmed.slice(0, 60)}…` : trimmed)
}
