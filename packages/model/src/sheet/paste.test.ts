import { describe, expect, it } from 'vitest'
import { columnsInOrder, type Column } from '../columns.ts'
import { applyEntityEdits } from '../edits/entity-edits.ts'
import type { EntityContent } from '../entity.ts'
import { arbitraryContent } from '../testing/arbitrary-edits.ts'
import { aKey, anEntity, anEntityContent, aRelationship, aTypeAttribute } from '../testing/builders.ts'
import { readClipboard, textOfCells } from './clipboard.ts'
import { type SheetColumn, sheetColumns } from './columns.ts'
import { headingsOf } from './headings.ts'
import { pasteBlock, textsIn } from './paste.ts'
import { writeCells, type WriteOptions } from './write-cells.ts'

type Place = WriteOptions & { row?: number; column?: string; chosen?: { rows: number; columns: number } }

const shown = sheetColumns.filter(({ isHidden }) => !isHidden)

/** Pastes text at a cell of the sheet; by default into the empty last row. */
function paste(content: EntityContent, text: string, { row, column = 'name', chosen, ...options }: Place = {}) {
  const rows = columnsInOrder(content)
  const read = readClipboard({ text })
  if ('refusal' in read) throw new Error(read.refusal)
  const columns = shown.slice(shown.findIndex(({ id }) => id === column))
  const place = { rows: rows.slice(row ?? rows.length), columns, chosen: chosen ?? { rows: 1, columns: 1 } }
  const block = pasteBlock(content, read.cells, place)
  if ('refusal' in block) throw new Error(block.refusal)
  const result = writeCells(content, block, options)
  const after = applyEntityEdits(content, result.edits)
  const problems = [...result.problems.values()].flatMap(cells =>
    [...cells].map(([id, { text: typed }]) => `${id}: ${typed}`),
  )
  return { ...result, rows: columnsInOrder(after), after, shownProblems: problems }
}

const empty = anEntityContent()
const [automaticKey] = empty.typeAttributes

describe('headings', () => {
  it.each([
    ['English', 'Field|Data type|Length|Required|Default|Unique|Index|Allowed values|Comments'],
    ['German', 'Feldname|Datentyp|Länge|Pflichtfeld|Standardwert|Eindeutig|Indiziert|Werte|Beschreibung'],
    ['French', 'Nom du champ|Type de données|Longueur|Obligatoire|Valeur par défaut|Unique|Indexé|Choix|Commentaire'],
    ['Spanish', 'Nombre|Tipo de datos|Tamaño|Obligatorio|Valor predeterminado|Único|Índice|Valores|Descripción'],
  ])('in %s name the columns', (_language, text) => {
    const ids = headingsOf(text.split('|'))?.map(heading => (typeof heading === 'string' ? heading : heading?.id))
    expect(ids).toEqual('name|dataType|length|nullable|defaultValue|unique|indexed|choices|description'.split('|'))
  })

  it('of the sheet itself name its columns', () => {
    const headings = headingsOf(sheetColumns.map(({ header }) => header))
    expect(headings).toMatchObject(sheetColumns.map(({ id, header }) => ({ id, header })))
  })

  it('name the entity, and leave unknown and repeated columns out', () => {
    const headings = headingsOf(['#', 'Table', 'COLUMN_NAME', 'Name', 'Type', 'Owner'])
    expect(headings?.map(heading => (heading as SheetColumn | undefined)?.id ?? heading)).toEqual([
      'ignored',
      'entity',
      'name',
      undefined,
      'dataType',
      undefined,
    ])
  })

  it.each([
    ['a list of names', ['name']],
    ['an attribute', ['name', 'varchar(40)']],
    ['an attribute', ['type', 'string', '']],
  ])('are not seen in the row of %s', (_what, row) => {
    expect(headingsOf(row)).toBeUndefined()
  })
})

describe('a paste with headings', () => {
  it('adds the attributes of a spreadsheet in its order of columns', () => {
    const text = [
      'Comment\tField\tRequired\tType\tSize\tValues',
      '"Family\nname"\tlastName\tx\tnvarchar(80)\t\t',
      '\tbirthDate\t\tdate\t\t',
      'paid or not\tprice\tyes\tdecimal\t10,2\t',
      '\tstate\tno\ttext\t20\tnew; done',
      '',
    ].join('\r\n')
    const { edits, rows, shownProblems } = paste(empty, text)
    expect(edits.map(({ kind }) => kind)).toEqual(['addAttributes'])
    expect(rows.slice(1)).toMatchObject([
      { name: 'lastName', maxLength: 80, nullable: false, description: 'Family\nname' },
      { name: 'birthDate', dataType: 'dateTime', format: 'date', nullable: true },
      { name: 'price', dataType: 'double', precision: 10, scale: 2, nullable: false },
      { name: 'state', dataType: 'string', maxLength: 20, choices: ['new', 'done'], nullable: true },
    ])
    expect(shownProblems).toEqual([])
  })

  it('does not take the bytes or the display width of an integer for its digits', () => {
    const text = [
      'Field\tType\tLength',
      'a1\tint\t11',
      'a2\tbigint\t8',
      'a3\tnumeric(20)\t',
      'a4\tBIGINT unsigned\t',
    ].join('\n')
    const { rows, shownProblems } = paste(empty, text)
    expect(rows.slice(1)).toMatchObject([
      { dataType: 'integer', format: 'int32', precision: null },
      { dataType: 'integer', format: null, precision: null },
      { dataType: 'integer', precision: 20, scale: null },
      { dataType: 'integer', precision: 20 },
    ])
    expect(shownProblems).toEqual([])
  })

  it('reads the columns of a database schema', () => {
    const text = [
      'ORDINAL_POSITION;COLUMN_NAME;DATA_TYPE;CHARACTER_MAXIMUM_LENGTH;NUMERIC_PRECISION;NUMERIC_SCALE;IS_NULLABLE;COLUMN_DEFAULT;COLUMN_KEY',
      '1;id;int;;10;0;NO;NULL;PRI',
      '2;email;varchar;255;;;NO;NULL;UNI',
      '3;amount;decimal;;12;4;YES;0;',
      '4;note;nvarchar;-1;;;YES;NULL;MUL',
      '5;made;timestamptz;;;;NO;CURRENT_TIMESTAMP(6);',
    ].join('\n')
    const { rows, shownProblems } = paste(empty, text)
    expect(rows).toMatchObject([
      {
        uid: automaticKey?.uid,
        name: 'id',
        dataType: 'integer',
        format: 'int32',
        purpose: 'identifiedBy',
        precision: null,
      },
      { name: 'email', maxLength: 255, unique: true, nullable: false, defaultValue: null },
      { name: 'amount', precision: 12, scale: 4, nullable: true, defaultValue: '0' },
      { name: 'note', maxLength: null, unique: false },
      { name: 'made', format: 'instant', nullable: false, defaultValue: null, defaultKind: 'now' },
    ])
    expect(shownProblems).toEqual([])
  })

  it.each([
    ['Name\tNull?\tType\nid2\tNOT NULL\tNUMBER(9)\nnote\t\tVARCHAR2(40)', [false, true]],
    ['Name\tNull?\tType\nid2\t\tNUMBER(9)\nnote\t \tVARCHAR2(40)', [true, true]],
    ['Name\tNull?\tType\nid2\tx\tNUMBER(9)\nnote\t\tVARCHAR2(40)', [true, false]],
    ['Name\tNullable\tType\nid2\tNOT NULL\tNUMBER(9)\nnote\t\tVARCHAR2(40)', [false, false]],
  ])('reads a blank cell below "Null?" as Oracle describes columns: %j', (text, expected) => {
    expect(
      paste(empty, text)
        .rows.slice(1)
        .map(({ nullable }) => nullable),
    ).toEqual(expected)
  })

  it('keeps cells that are not understood, with the rest of their rows', () => {
    const text = 'Name\tType\tRequired\tUnique\n80\tvarchar(40)\tyes\tno\nbody\tgeometry\tperhaps\tx'
    const { rows, shownProblems } = paste(empty, text)
    expect(rows.slice(1)).toMatchObject([
      { name: '80', maxLength: 40 },
      { name: 'body', dataType: 'string', unique: true },
    ])
    expect(shownProblems).toEqual(['dataType: geometry', 'nullable: perhaps'])
  })

  it('changes rows from the current one on', () => {
    const content = anEntityContent({ typeAttributes: [{ ...aTypeAttribute(), position: 0 }] })
    const { edits, rows } = paste(content, 'Name\tNullable\nheading\tyes\nbody\tno', { row: 0 })
    expect(edits.map(({ kind }) => kind)).toEqual(['changeAttributes', 'addAttributes'])
    expect(rows).toMatchObject([
      { name: 'heading', nullable: true },
      { name: 'body', nullable: false },
    ])
  })
})

describe('the key of a pasted table', () => {
  it('changes the automatic key, whose uid stays', () => {
    const { rows } = paste(empty, 'Name\tType\tKey\nnumber\tint\t\npatientId\tbigint\tPK\n')
    expect(rows).toMatchObject([
      { uid: automaticKey?.uid, name: 'patientId', purpose: 'identifiedBy' },
      { name: 'number', purpose: 'hasA' },
    ])
  })

  it('is the row with its name', () => {
    expect(paste(empty, 'ID\tint\nnumber\tint').rows).toMatchObject([
      { uid: automaticKey?.uid, name: 'ID', format: 'int32' },
      { name: 'number' },
    ])
  })

  it('replaces a key that was chosen, which becomes an ordinary attribute', () => {
    const content = anEntityContent({
      typeAttributes: [{ ...aKey({ name: 'code', dataType: 'string' }), position: 0 }],
    })
    expect(paste(content, 'Name\tType\tKey\npatientId\tbigint\tyes').rows).toMatchObject([
      { name: 'code', purpose: 'hasA' },
      { name: 'patientId', purpose: 'identifiedBy' },
    ])
  })

  it('is one: a second one is marked', () => {
    const { rows, shownProblems } = paste(empty, 'Name\tType\tPK\norder\tint\tx\nline\tint\tx')
    expect(rows.map(row => (row as { purpose?: string }).purpose)).toEqual(['identifiedBy', 'hasA'])
    expect(shownProblems).toEqual(['purpose: x'])
  })
})

describe('a paste with headings that no column has', () => {
  it.each([
    ['unknown ones with texts', 'Name\tType\tOwner\tStatus\na1\tstring\tAnn\t', ['Owner']],
    ['repeated ones and those without a name', 'Name\tType\tColumn\t\na1\tstring\tb1\tx', ['Column', '']],
    ['numbers of rows, which are needless', '#\tName\tType\n1\ta1\tstring', []],
  ])('reports %s', (_, text, unread) => {
    const read = readClipboard({ text })
    const cells = 'cells' in read ? read.cells : []
    const block = pasteBlock(empty, cells, { rows: [], columns: shown, chosen: { rows: 1, columns: 1 } })
    expect(block).toMatchObject({ unread })
  })
})

describe('a paste without headings', () => {
  it('goes by the columns from the current cell on', () => {
    expect(paste(empty, 'born\tdate\nnote\ttext').rows.slice(1)).toMatchObject([
      { name: 'born', format: 'date' },
      { name: 'note', dataType: 'string' },
    ])
    expect(paste(empty, 'yes\t7', { row: 0, column: 'nullable' }).rows).toMatchObject([
      { nullable: true, defaultValue: '7' },
    ])
  })

  it('fills a chosen range that is a multiple of its size, and no other', () => {
    const texts = ['a1', 'b2', 'c3', 'd4'].map((name, position) => ({ ...aTypeAttribute({ name }), position }))
    const content = anEntityContent({ typeAttributes: texts })
    const nullable = (text: string, rows: number) =>
      paste(content, text, { row: 0, column: 'nullable', chosen: { rows, columns: 1 } }).rows.map(row => row.nullable)
    expect(nullable('yes', 3)).toEqual([true, true, true, false])
    expect(nullable('yes\nno', 4)).toEqual([true, false, true, false])
    expect(nullable('yes\nyes', 3)).toEqual([true, true, false, false])
  })

  it('takes the rows of its entity from a list of several entities', () => {
    const text = 'Table\tColumn\tType\nPerson\tborn\tdate\nVisit\tdoctor\ttext\nPERSON\tname\ttext'
    const { rows } = paste({ ...empty, name: 'Person' }, text)
    expect(rows.slice(1)).toMatchObject([{ name: 'born' }, { name: 'name' }])
    expect(() => paste({ ...empty, name: 'Ward' }, text)).toThrow(
      'The rows are for several entities, and none is for Ward.',
    )
    const single = 'Table\tColumn\nPerson\tborn'
    expect(paste({ ...empty, name: 'Ward' }, single).rows.slice(1)).toMatchObject([{ name: 'born' }])
  })

  it('is refused if the entity would have too many attributes', () => {
    const text = Array.from({ length: 5001 }, (_, index) => `n${index}x`).join('\n')
    expect(() => paste(empty, text)).toThrow('An entity has at most 5001 type attributes; this one would have 5002.')
  })
})

it('the references of a paste can be resolved before it is written', () => {
  const read = readClipboard({ text: 'Field\tTarget\norderId\t Order.id\nnote\t' })
  const place = { rows: [], columns: shown, chosen: { rows: 1, columns: 1 } }
  const block = 'cells' in read ? pasteBlock(empty, read.cells, place) : read
  expect('refusal' in block ? block : textsIn(block, 'references')).toEqual(['Order.id'])
  expect('refusal' in block ? block : textsIn(block, 'format')).toEqual([])
})

describe('copy and paste back', () => {
  const copy = (rows: readonly Column[], columns: readonly SheetColumn[]) =>
    textOfCells(rows.map(row => columns.map(one => one.text(row))))

  it('is no change, over random entities', () => {
    for (let seed = 0; seed < 100; seed += 1) {
      const content = arbitraryContent(seed)
      const { edits, shownProblems } = paste(content, copy(columnsInOrder(content), shown), { row: 0 })
      expect([seed, edits, shownProblems]).toEqual([seed, [], []])
    }
  })

  it('into another entity gives the values that the sheet shows', () => {
    const order = anEntity({ name: 'Order' })
    const source = anEntityContent({
      typeAttributes: [
        {
          ...aTypeAttribute({
            name: 'price',
            dataType: 'double',
            precision: 9,
            scale: 2,
            defaultValue: '1.5',
            nullable: true,
          }),
          position: 0,
        },
        {
          ...aTypeAttribute({ name: 'state', choices: ['a, b', 'c'], indexed: true, description: '"Two"\n\tlines' }),
          position: 1,
        },
      ],
      entityAttributes: [{ ...aRelationship(order), position: 2 }],
    })
    const target = () => ({
      entity: { id: order.id, name: 'Order', path: order.path },
      attribute: 'id',
      attributeUid: null,
      dataType: 'integer' as const,
    })
    const { rows, shownProblems } = paste(empty, copy(columnsInOrder(source), shown), { target })
    const texts = (columns: readonly Column[]) => columns.map(row => shown.map(one => one.text(row)))
    expect(texts(rows.slice(1))).toEqual(texts(columnsInOrder(source)))
    expect(shownProblems).toEqual([])
  })
})
