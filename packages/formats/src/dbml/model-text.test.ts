import type { Check } from '@cadmus/model/conditions/condition'
import { conditionText } from '@cadmus/model/conditions/text'
import { columnName, columnsInOrder, isKey } from '@cadmus/model/columns'
import { limits } from '@cadmus/model/limits'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { withEnumerations } from '@cadmus/model/testing/arbitrary-enumerations'
import { seededRandom } from '@cadmus/model/testing/seeded-random'
import { aKey, aList, anEntity, aRelationship, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import type { TextModel } from '@cadmus/model/text/marked-text'
import { printModel } from '@cadmus/model/text/print'
import { hardModels } from '@cadmus/sql/testing/hard-models'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { exportableModels } from '../testing/exportable-model.ts'

// Not imported: to follow imports the linter would read its file of 21 MB, which takes 6 GB and 40 seconds.
// oxlint-disable-next-line typescript/consistent-type-imports
const { Parser }: typeof import('@dbml/core') = createRequire(import.meta.url)('@dbml/core')

/** The text of a model, of the entities that the language can have: those with columns, each under a name of its own. */
function textModelOf({ root, byId }: ResolvedModel, seed = 0): TextModel {
  const names = new Set<string>()
  const all = withEnumerations([...byId.values()], seededRandom(seed))
  const { enumerations } = all
  const entities = all.entities.filter(entity => {
    const columns = columnsInOrder(entity).map(columnName)
    const isFirst = names.size < names.add(entity.name).size
    return (
      isFirst &&
      entity.name !== '' &&
      columns.length > 0 &&
      new Set(columns).size === columns.length &&
      !columns.includes('')
    )
  })
  return {
    project: { name: root.name, description: root.description },
    entities: entities.map(({ id, path, ...content }) => ({ id, path, content, isEditable: true, primaryKey: null })),
    others: [],
    enumerations,
  }
}

function parsed(model: TextModel) {
  const { text } = printModel(model)
  try {
    const [schema] = new Parser().parse(text, 'dbmlv2').schemas
    return { tables: schema?.tables ?? [], refs: schema?.refs ?? [], enums: schema?.enums ?? [] }
  } catch (error) {
    throw new Error(`${JSON.stringify(error)}\n${text}`, { cause: error })
  }
}

function isWritable({ condition }: Check): boolean {
  const text = conditionText(condition)
  return text.length <= limits.checks.text && !/[`\p{Cc}\p{Cs}]/u.test(text)
}

it('the official parser reads the text of a model with all tables, columns, keys, notes and references', () => {
  const models = [
    ...Object.values(hardModels).map(make => make()),
    ...exportableModels(30, 1),
    ...Array.from({ length: 60 }, (_, seed) => arbitraryModel(seed, { names: 'any', checks: true })),
  ]
  for (const model of models.map(textModelOf)) {
    const { tables, refs, enums } = parsed(model)
    expect(enums.map(({ name, values }) => [name, values.map(one => [one.name, one.note ?? ''])])).toEqual(
      model.enumerations?.map(({ name, values }) => [name, values.map(({ value, label }) => [value, label])]),
    )
    const contents = model.entities.map(({ content }) => content)
    expect(tables.map(({ name, note }) => [name, note ?? ''])).toEqual(
      contents.map(({ name, description }) => [name, description]),
    )
    expect(tables.map(({ fields }) => fields.map(field => [field.name, field.note ?? '']))).toEqual(
      contents.map(content => columnsInOrder(content).map(column => [columnName(column), column.description])),
    )
    // A key of several columns is an index.
    expect(tables.map(({ fields, indexes }) => fields.some(({ pk }) => pk) || indexes.some(({ pk }) => pk))).toEqual(
      contents.map(content => columnsInOrder(content).some(isKey)),
    )
    expect(tables.map(({ checks }) => checks.map(({ name }) => name ?? ''))).toEqual(
      contents.map(({ checks }) => checks.filter(isWritable).map(({ name }) => name)),
    )
    const { text } = printModel(model)
    expect(refs.length).toBe(text.split(/[[ ]ref: > /).length - 1)
  }
})

const odd = [
  "it's",
  'a"b',
  "'''",
  'back\\',
  '\\"',
  'a\r\nb',
  '`x`',
  '} Table x {',
  '//',
  '/*',
  'x\u2028y',
  'a.[b]',
  '日😀',
]

it.each([...odd, 'null', 'Table', 'indexes', 'Note', 'as', 'ref', 'Enum', '1', '1e5', '\u0000'])(
  '%j as name, text, default and choice is read by the official parser unchanged',
  text => {
    const target = anEntity({ name: `${text} target`, typeAttributes: aList(aKey({ name: text })) })
    const entity = anEntity({
      name: text,
      description: text,
      typeAttributes: aList(
        aKey({ name: `${text} key`, description: text }),
        aTypeAttribute({ name: `${text}2`, choices: [text, 'x'], defaultValue: text }),
      ),
      entityAttributes: [
        aRelationship(target, { position: 2, associatedEntityTypeAttribute: text, foreignKeyTypeAttribute: text }),
      ],
    })
    const { tables, refs } = parsed(textModelOf(aResolvedModel([target, entity])))
    const read = tables.find(({ name }) => name === text)
    expect([
      read?.note,
      read?.fields.map(field => [field.name, field.note ?? '', field.dbdefault?.value ?? '']),
    ]).toEqual([
      text,
      [
        [`${text} key`, text, ''],
        [`${text}2`, '', text],
        [text, '', ''],
      ],
    ])
    expect(refs.map(({ endpoints }) => endpoints.map(({ tableName, fieldNames }) => [tableName, fieldNames]))).toEqual([
      expect.arrayContaining([
        [text, [text]],
        [`${text} target`, [text]],
      ]),
    ])
  },
)
