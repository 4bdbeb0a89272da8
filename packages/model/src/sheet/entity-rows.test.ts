import { describe, expect, it } from 'vitest'
import { columnsInOrder } from '../columns.ts'
import { applyEntityEdits } from '../edits/entity-edits.ts'
import { newEntityContent } from '../entity.ts'
import { aKey, anEntityContent, aTypeAttribute } from '../testing/builders.ts'
import { readClipboard } from './clipboard.ts'
import { sheetColumns } from './columns.ts'
import { rowsByEntity } from './entity-rows.ts'
import { pasteBlock } from './paste.ts'
import { writeCells } from './write-cells.ts'

function cellsOf(text: string) {
  const read = readClipboard({ text })
  if ('refusal' in read) throw new Error(read.refusal)
  return read.cells
}

const listOf = (text: string) => rowsByEntity(cellsOf(text))

describe('A list of attributes of several entities', () => {
  it('is divided by entity, in the order of the list and without blank rows', () => {
    expect(listOf('Name\tEntity\tType\nid\tPatient\tint\nroom\tDoctor\tint\n\t\t\nborn\tPATIENT\tdate\n')).toEqual({
      entities: [
        {
          entity: 'Patient',
          cells: [
            ['Name', 'Entity', 'Type'],
            ['id', 'Patient', 'int'],
            ['born', 'PATIENT', 'date'],
          ],
        },
        {
          entity: 'Doctor',
          cells: [
            ['Name', 'Entity', 'Type'],
            ['room', 'Doctor', 'int'],
          ],
        },
      ],
    })
  })

  it.each([
    ['English', 'Table,Column,Data type'],
    ['German', 'Tabelle;Spalte;Datentyp'],
    ['French', 'Entité;Champ;Type de données'],
    ['Spanish', 'Tabla;Campo;Tipo de datos'],
  ])('has headings in %s, also as CSV', (_language, head) => {
    const [separator] = /[,;]/.exec(head) ?? ['']
    const list = listOf(`${head}\n${['Patient', 'born', 'date'].join(separator)}`)
    expect(list).toMatchObject({ entities: [{ entity: 'Patient', cells: { length: 2 } }] })
  })

  it('continues the entity above in blank cells, as merged cells are copied', () => {
    const list = listOf('Entity\tName\nPatient\tborn\n\tdied\nDoctor\troom\n\tphone')
    expect('entities' in list && list.entities.map(({ cells }) => cells.slice(1).map(([, name]) => name))).toEqual([
      ['born', 'died'],
      ['room', 'phone'],
    ])
  })

  it.each([
    ['Name\tType\nborn\tdate', 'A list of attributes needs headings in its first row, among them Entity and Name.'],
    ['Patient\tborn\tdate', 'A list of attributes needs headings in its first row, among them Entity and Name.'],
    ['', 'A list of attributes needs headings in its first row, among them Entity and Name.'],
    ['Entity\tName\n\tborn\nPatient\tdied', 'Row 2 names no entity.'],
    [
      'Entity\tName\n80\tborn\nPatient\tdied',
      expect.stringMatching(/^Nothing was pasted, because entities cannot have these names\.\n"80": /),
    ],
    [
      `Entity\tName\n${Array.from({ length: 201 }, (_, at) => `Entity${at}\tname`).join('\n')}`,
      'A paste can be for at most 200 entities; this one is for 201.',
    ],
  ])('that is none is refused as a whole: %j', (text, refusal) => {
    expect(listOf(text)).toEqual({ refusal })
  })

  it('of a large size is divided in linear time', () => {
    const rows = Array.from({ length: 5000 }, (_, at) => `Entity${at % 200}\tname${at}`)
    const list = listOf(['Entity\tName', ...rows].join('\n'))
    expect('entities' in list && list.entities.every(({ cells }) => cells.length === 26)).toBe(true)
  })
})

describe('Rows for an entity', () => {
  const place = { columns: sheetColumns, chosen: { rows: 1, columns: 1 } }
  const pasted = (content = newEntityContent({ name: 'Patient' }), text = '') => {
    const block = pasteBlock(content, cellsOf(text), { ...place, rows: columnsInOrder(content) })
    if ('refusal' in block) throw new Error(block.refusal)
    const after = applyEntityEdits(content, writeCells(content, block).edits)
    return { existing: block.existing, after, columns: columnsInOrder(after) }
  }

  it('are added below those that it has, wherever the current cell is; those with a name that it has stay as they are', () => {
    const name = aTypeAttribute({ name: 'fullName', maxLength: 40, position: 1 })
    const content = anEntityContent({ name: 'Patient', typeAttributes: [aKey({ name: 'id' }), name] })
    const { existing, columns } = pasted(content, 'Entity\tName\tType\nPatient\tFullName\tint\nPatient\tborn\tdate')
    expect(existing).toEqual(['FullName'])
    expect(columns).toMatchObject([{ name: 'id' }, { name: 'fullName', maxLength: 40 }, { name: 'born' }])
  })

  it('pasted a second time change nothing', () => {
    const text = 'Entity\tName\tType\tKey\nPatient\tnumber\tvarchar(20)\tPK\nPatient\tborn\tdate\t'
    const { after } = pasted(undefined, text)
    expect(after.typeAttributes).toMatchObject([{ name: 'number', purpose: 'identifiedBy' }, { name: 'born' }])
    expect(pasted(after, text)).toEqual({ existing: ['number', 'born'], after, columns: columnsInOrder(after) })
  })

  it('may describe the automatic key by its name', () => {
    const { existing, columns } = pasted(undefined, 'Entity\tName\tType\nPatient\tid\tvarchar(20)')
    expect(existing).toEqual([])
    expect(columns).toMatchObject([{ name: 'id', dataType: 'string', maxLength: 20, purpose: 'identifiedBy' }])
  })
})
