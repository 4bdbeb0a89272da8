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
    return `${sheetTexts.cellsLeft(total).slice(0, -1)}: ${counted(documents)}.`
  },
  unknownType: (text: string) => `"${short(text)}" is not a known data type.`,
  keyType: 'A foreign key is no object.',
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
    return `Columns not pasted: ${listed(headings, heading => (heading === '' ? 'one without a heading' : short(heading)))}.`
  },
  /** Rows of a paste whose names their entities have already. */
  notChanged: (names: readonly string[]) =>
    `Not changed, because ${names.length === 1 ? 'it exists' : 'they exist'}: ${listed(names, short)}.`,
  pastedInto: (rows: number, entities: number, created: number) => {
    const [pasted, into] = [formatCount(rows), formatCount(entities)]
    const fresh = created === 0 ? '' : `, ${formatCount(created)} of them new`
    return `Pasted ${rows === 1 ? 'a row' : `${pasted} rows`} into ${entities === 1 ? 'one entity' : `${into} entities`}${fresh}.`
  },
  pastingInto: (entities: number) =>
    `Pasting into ${entities === 1 ? 'one entity' : `${formatCount(entities)} entities`}…`,
  /** Cells of a paste that could not take their text, by entity. */
  toLookAtIn: (documents: readonly { name: string; count: number }[]) => {
    const total = documents.reduce((sum, { count }) => sum + count, 0)
    return `${formatCount(total)} ${total === 1 ? 'cell' : 'cells'} to look at: ${counted(documents)}.`
  },
  listInvitation: 'Paste a list of attributes with the headings Entity, Name and Type to create entities.',
  noEntityColumn: 'A list of attributes needs headings in its first row, among them Entity and Name.',
  rowWithoutEntity: (row: number) => `Row ${formatCount(row)} names no entity.`,
  entityNames: (faults: readonly { entity: string; reason: string }[]) => {
    const named = faults.slice(0, 5).map(({ entity, reason }) => `"${short(entity)}": ${reason}`)
    const more = faults.length > 5 ? [`and ${formatCount(faults.length - 5)} more.`] : []
    return ['Nothing was pasted, because entities cannot have these names.', ...named, ...more].join('\n')
  },
  tooManyEntities: (limit: number, entities: number) =>
    `A paste can be for at most ${formatCount(limit)} entities; this one is for ${formatCount(entities)}.`,
  severalEntities: (name: string) =>
    `Nothing was pasted, because several entities of the manifest are named ${visibleText(name)}.`,
  refusedIn: (name: string, reason: string) => `Nothing was pasted, because of ${visibleText(name)}: ${reason}`,
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

function counted(documents: readonly { name: string; count: number }[]): string {
  return listed(documents, ({ name, count }) => `${short(name)} (${formatCount(count)})`)
}

/** The first five. */
function listed<T>(items: readonly T[], text: (item: T) => string): string {
  const more = items.length > 5 ? ` and ${formatCount(items.length - 5)} more` : ''
  return `${items.slice(0, 5).map(text).join(', ')}${more}`
}

function short(text: string): string {
  const trimmed = text.trim()
  return visibleText(trimmed.length > 60 ? `${trimmed.slice(0, 60)}…` : trimmed)
}
