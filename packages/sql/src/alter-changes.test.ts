import { newConfiguration } from '@cadmus/model/configuration'
import type { EntityNode } from '@cadmus/model/entity'
import { aKey, aList, anEntity, aRelationship, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { describe, expect, it } from 'vitest'
import { alterationOf } from './alter.ts'
import { instanceSchemaOf } from './instance-schema.ts'
import { packageOf } from './testing/packages.ts'
import type { Schema } from './tree.ts'

type Attribute = Partial<TypeAttribute>
type Options = { applyMultiTenancy?: boolean; applyCustomField?: boolean; applySot?: boolean; sotEntities?: string[] }

function schemaOf(entities: readonly EntityNode[], options: Options = {}): Schema {
  const configuration = newConfiguration('Shop')
  Object.assign(configuration.configurationBuild.serviceConfiguration, options)
  return instanceSchemaOf({ ...packageOf(aResolvedModel(entities), 1), configuration }, 'sqlite').schema
}

const id = aKey({ uid: 'uid of id' })
const value = (change: Attribute = {}) =>
  aTypeAttribute({ name: 'value', uid: 'uid of value', nullable: true, ...change })
const note = (change: Attribute = {}) => value({ name: 'note', uid: 'uid of note', ...change })
const thing = (...attributes: readonly TypeAttribute[]) =>
  anEntity({ id: 1, name: 'Thing', uid: 'uid of Thing', typeAttributes: aList(id, ...attributes) })
const other = anEntity({ id: 2, name: 'Other', uid: 'uid of Other', typeAttributes: aList(aKey()) })
const related = (change: object = {}) => [
  other,
  {
    ...thing(),
    entityAttributes: [aRelationship(other, { uid: 'uid of otherId', position: 1, nullable: true, ...change })],
  },
]
const keyed = (...attributes: readonly TypeAttribute[]) => ({ ...thing(), typeAttributes: aList(...attributes) })
const number: Attribute = { dataType: 'integer' }

/** `condition` selects the records that would lose data. */
type Change = readonly [grade: 'safe' | 'locks' | 'losesData', text: string, condition?: string]
type Refusal = readonly [text: string, condition: string]
type Case = [
  title: string,
  before: readonly EntityNode[],
  after: readonly EntityNode[],
  changes: readonly Change[],
  refusals?: readonly Refusal[],
]

const own = (text: string): Change => ['locks', `'value' of 'Thing' ${text}`]
const table = (text: string): Change => ['locks', `'Thing' ${text}`]
const refused = (what: string, records: string, condition: string): Refusal => [
  `'value' of 'Thing' ${what}, which fails if there are records ${records}.`,
  condition,
]
const [all, some] = ['1 = 1', '"value" IS NOT NULL']
const misfit =
  '"value" IS NOT NULL AND (cadmus_number(cadmus_key("value")) <> "value" OR ' +
  'CAST(CAST("value" AS INTEGER) AS TEXT) <> "value" OR ' +
  'CAST("value" AS INTEGER) NOT BETWEEN -9223372036854775808 AND 9223372036854775807)'
const misfits: Change = [
  'losesData',
  "'value' of 'Thing' changes its type, and loses the values that do not fit the new one.",
  misfit,
]
const inconvertible: Change = [
  'losesData',
  "'value' of 'Thing' changes to a type to which its values cannot be converted.",
  some,
]
const shorter = refused('has at most 255 characters', 'with more', 'length("value") > 255')

const cases: readonly Case[] = [
  ['only a description', [thing(value())], [thing(value({ description: 'x' }))], []],
  ['another uid of the same name', [thing(value())], [thing(value({ uid: 'another' }))], []],
  ['a new entity', [thing()], [thing(), other], [['safe', "'Other' is new."]]],
  [
    'an entity that is gone',
    [thing(), other],
    [thing()],
    [['losesData', "'Other' is dropped with all its records.", all]],
  ],
  ['a new name of an entity', [thing()], [{ ...thing(), name: 'Item' }], [table("is renamed to 'Item'.")]],
  ['a new field', [thing()], [thing(value())], [own('is new.')]],
  [
    'a new required field',
    [thing()],
    [thing(value({ nullable: false }))],
    [own('is new.')],
    [refused('is required and has no default', 'already', all)],
  ],
  [
    'a new required field with a default',
    [thing()],
    [thing(value({ nullable: false, defaultValue: 'x' }))],
    [own('is new.')],
  ],
  ['a new field with spaces around its name', [thing()], [thing(value({ name: ' value ' }))], [own('is new.')]],
  [
    'two fields that swap their names',
    [thing(value(), note())],
    [thing(value({ name: 'note' }), note({ name: 'value' }))],
    [own("is renamed to 'note'."), ['locks', "'note' of 'Thing' is renamed to 'value'."]],
  ],
  [
    'a field with the name of one that is gone',
    [thing(value(), note())],
    [thing(value({ name: 'note' }))],
    [
      ['losesData', "'note' of 'Thing' is dropped with its values.", '"note" IS NOT NULL'],
      own("is renamed to 'note'."),
    ],
  ],
  [
    'a new field with the former name of another',
    [thing(value())],
    [thing(value({ name: 'note' }), note({ name: 'value' }))],
    [own('is new.'), own("is renamed to 'note'.")],
  ],
  [
    'a field that is gone beside one with another uid',
    [thing(note(), value())],
    [thing(value({ uid: 'another' }))],
    [['losesData', "'note' of 'Thing' is dropped with its values.", '"note" IS NOT NULL']],
  ],
  [
    'an entity that is gone beside one with a new name',
    [other, thing()],
    [{ ...thing(), name: 'Item' }],
    [table("is renamed to 'Item'."), ['losesData', "'Other' is dropped with all its records.", all]],
  ],
  [
    'an entity that is gone beside one with another uid',
    [other, thing()],
    [{ ...thing(), uid: 'another' }],
    [['losesData', "'Other' is dropped with all its records.", all]],
  ],
  [
    'a field that is gone',
    [thing(value())],
    [thing()],
    [['losesData', "'value' of 'Thing' is dropped with its values.", some]],
  ],
  ['a new name of a field', [thing(value())], [thing(value({ name: 'title' }))], [own("is renamed to 'title'.")]],
  [
    'a new case of a name',
    [thing(value())],
    [thing(value({ name: 'VALUE', uid: 'another' }))],
    [own("is renamed to 'VALUE'.")],
  ],
  ['a number that becomes a text', [thing(value(number))], [thing(value())], [own('changes its type.')]],
  ['a text that becomes a number', [thing(value())], [thing(value(number))], [misfits]],
  [
    'a text that becomes a required number',
    [thing(value())],
    [thing(value({ ...number, nullable: false }))],
    [misfits, own('becomes required.')],
    [
      refused('is required and has no default', 'without it', '"value" IS NULL'),
      refused('is required and has no default', 'whose value does not fit its new type', misfit),
    ],
  ],
  [
    'a text that becomes a number with a default',
    [thing(value({ nullable: false, defaultValue: '1' }))],
    [thing(value({ ...number, nullable: false, defaultValue: '1' }))],
    [misfits, own('changes its default value.')],
  ],
  ['a boolean that becomes a number', [thing(value({ dataType: 'boolean' }))], [thing(value(number))], [inconvertible]],
  [
    'a boolean that becomes a required number',
    [thing(value({ dataType: 'boolean', nullable: false }))],
    [thing(value({ ...number, nullable: false }))],
    [inconvertible],
    [refused('is required and has no default', 'already', all)],
  ],
  [
    'a required field',
    [thing(value())],
    [thing(value({ nullable: false }))],
    [own('becomes required.')],
    [refused('is required and has no default', 'without it', '"value" IS NULL')],
  ],
  [
    'a required field with a default',
    [thing(value())],
    [thing(value({ nullable: false, defaultValue: 'x' }))],
    [own('becomes required, and records without it get its default.'), own('changes its default value.')],
  ],
  ['an optional field', [thing(value({ nullable: false }))], [thing(value())], [own('becomes optional.')]],
  ['another default', [thing(value())], [thing(value({ defaultValue: 'x' }))], [own('changes its default value.')]],
  [
    'a shorter text',
    [thing(value({ maxLength: 40 }))],
    [thing(value({ maxLength: 20 }))],
    [own('changes its type.')],
    [refused('has at most 20 characters', 'with more', 'length("value") > 20')],
  ],
  ['a longer text', [thing(value({ maxLength: 20 }))], [thing(value({ maxLength: 40 }))], [own('changes its type.')]],
  [
    'a number that becomes a short text',
    [thing(value(number))],
    [thing(value({ maxLength: 19 }))],
    [own('changes its type.')],
    [refused('has at most 19 characters', 'with more', 'length(CAST("value" AS TEXT)) > 19')],
  ],
  [
    'a number that becomes a text of its length',
    [thing(value(number))],
    [thing(value({ maxLength: 20 }))],
    [own('changes its type.')],
  ],
  [
    'a guid that becomes a text of its length',
    [thing(value({ format: 'guid' }))],
    [thing(value({ maxLength: 36 }))],
    [own('changes its type.')],
  ],
  [
    'a smaller number',
    [thing(value(number))],
    [thing(value({ ...number, format: 'int32' }))],
    [own('changes its type.')],
    [
      refused(
        'is a whole number of at most 32 bits',
        'with larger ones',
        '"value" NOT BETWEEN -2147483648 AND 2147483647',
      ),
    ],
  ],
  [
    'a larger number',
    [thing(value({ ...number, format: 'int16' }))],
    [thing(value({ ...number, format: 'int32' }))],
    [own('changes its type.')],
  ],
  [
    'a unique field',
    [thing(value())],
    [thing(value({ unique: true }))],
    [own('changes its type.'), table('changes its unique fields.')],
    [shorter, refused('is unique', 'with the same value', '"value" IS NOT NULL GROUP BY "value" HAVING COUNT(*) > 1')],
  ],
  [
    'a unique field under a new name',
    [thing(value({ unique: true }))],
    [thing(value({ unique: true, name: 'code' }))],
    [own("is renamed to 'code'.")],
  ],
  [
    'a field that is no longer unique',
    [thing(value({ ...number, unique: true }))],
    [thing(value(number))],
    [table('changes its unique fields.')],
  ],
  ['an index', [thing(value(number))], [thing(value({ ...number, indexed: true }))], [table('changes its indexes.')]],
  [
    'choices',
    [thing(value({ maxLength: 255 }))],
    [thing(value({ maxLength: 255, choices: ['a', 'b'] }))],
    [table('changes its choices.')],
    [refused('is one of its choices', 'with none of them', `NOT ("value" IN ('a', 'b'))`)],
  ],
  [
    'other choices',
    [thing(value({ maxLength: 255, choices: ['a', 'b'] }))],
    [thing(value({ maxLength: 255, choices: ['a', 'c'] }))],
    [table('changes its choices.')],
    [refused('is one of its choices', 'with none of them', `NOT ("value" IN ('a', 'c'))`)],
  ],
  [
    'a new name of a field with choices',
    [thing(value({ maxLength: 255, choices: ['a', 'b'] }))],
    [thing(value({ name: 'code', maxLength: 255, choices: ['a', 'b'] }))],
    [own("is renamed to 'code'.")],
  ],
  [
    'a new name beside a field with choices',
    [thing(value({ maxLength: 255, choices: ['a', 'b'] }), note())],
    [thing(value({ maxLength: 255, choices: ['a', 'b'] }), note({ name: 'remark' }))],
    [['locks', "'note' of 'Thing' is renamed to 'remark'."]],
  ],
  [
    'more choices',
    [thing(value({ maxLength: 255, choices: ['a', 'b'] }))],
    [thing(value({ maxLength: 255, choices: ['c', 'b', 'a'] }))],
    [table('changes its choices.')],
  ],
  [
    'choices of values that cannot be converted',
    [thing(value({ dataType: 'dateTime' }))],
    [thing(value({ ...number, choices: ['1'], unique: true }))],
    [inconvertible, table('changes its unique fields.'), table('changes its choices.')],
  ],
  [
    'a date and time that becomes a wall-clock time',
    [thing(value({ dataType: 'dateTime' }))],
    [thing(value({ dataType: 'dateTime', format: 'local' }))],
    [],
  ],
  [
    'another order of fields',
    [thing(value(), note())],
    [thing(note(), value())],
    [table('changes the order of its columns or the names of its constraints.')],
  ],
  [
    'a relation',
    [other, thing()],
    related(),
    [['locks', "'otherId' of 'Thing' is new."], table('changes its indexes.'), table('changes its relations.')],
  ],
  [
    'a relation that is gone',
    related(),
    [other, thing()],
    [
      ['losesData', "'otherId' of 'Thing' is dropped with its values.", '"otherId" IS NOT NULL'],
      table('changes its indexes.'),
      table('changes its relations.'),
    ],
  ],
  [
    'a field beside a relation',
    related(),
    related().map(entity => (entity === other ? entity : { ...entity, typeAttributes: thing(value()).typeAttributes })),
    [own('is new.')],
  ],
  [
    'a relation whose target is gone',
    related(),
    related().map(entity => (entity === other ? { ...other, uid: 'another', name: 'Another' } : renamedTarget(entity))),
    [
      ['safe', "'Another' is new."],
      table('changes its relations.'),
      [
        'losesData',
        "'otherId' of 'Thing' refers to a different target, where its values identify other records.",
        '"otherId" IS NOT NULL',
      ],
      ['losesData', "'Other' is dropped with all its records.", all],
    ],
    [
      [
        "'otherId' of 'Thing' refers to 'Another', which fails if there are records whose value is none there.",
        '"otherId" IS NOT NULL',
      ],
    ],
  ],
  ['another handling of deletions', related(), related({ onDelete: 'cascade' }), [table('changes its relations.')]],
  [
    'a relation to a renamed entity',
    related(),
    [{ ...other, name: 'Another' }, ...related().slice(1)].map(renamedTarget),
    [table('changes its relations.'), ['locks', "'Other' is renamed to 'Another'."]],
  ],
  [
    'a key of another type',
    [thing()],
    [keyed({ ...id, dataType: 'string' })],
    [
      ['locks', "'id' of 'Thing' changes its type."],
      ['locks', "'id' of 'Thing' is no longer generated."],
      table('changes its key.'),
    ],
    [
      [
        "'id' of 'Thing' is unique, which fails if there are records with the same value.",
        'CAST("id" AS TEXT) IS NOT NULL GROUP BY CAST("id" AS TEXT) HAVING COUNT(*) > 1',
      ],
    ],
  ],
  [
    'a new name of the key',
    [thing()],
    [keyed({ ...id, name: 'code' })],
    [['locks', "'id' of 'Thing' is renamed to 'code'."]],
  ],
  [
    'another key',
    [thing(value({ ...number, nullable: false }))],
    [keyed({ ...id, purpose: 'hasA' }, value({ ...number, nullable: false, purpose: 'identifiedBy' }))],
    [['locks', "'id' of 'Thing' is no longer generated."], own('is generated.')],
  ],
]

function renamedTarget(entity: EntityNode): EntityNode {
  const entityAttributes = entity.entityAttributes.map(item => ({
    ...item,
    associatedEntity: { ...item.associatedEntity, name: 'Another' },
  }))
  return { ...entity, entityAttributes }
}

const queryOf = (name: string, condition: string | undefined, limit = 1) =>
  condition === undefined ? null : `SELECT 1 FROM "${name}" WHERE ${condition} LIMIT ${limit}`

describe('The changes of a new version', () => {
  it.each(cases)('are reported for %s', (_title, before, after, changes, refusals = []) => {
    const alteration = alterationOf(schemaOf(before), schemaOf(after), 'sqlite')
    expect(alteration.changes.map(({ grade, text, query }) => [grade, text, query])).toEqual(
      changes.map(([grade, text, condition]) => [
        grade,
        text,
        queryOf(/'(Other)' is dropped/.exec(text)?.[1] ?? 'Thing', condition),
      ]),
    )
    expect(alteration.refusals.map(({ text, query }) => [text, query])).toEqual(
      refusals.map(([text, condition]) => [text, queryOf('Thing', condition, 1001)]),
    )
    for (const { entity, attribute, text } of alteration.changes)
      expect(text).toMatch(attribute === '' ? `'${entity}' ` : `'${attribute}' of '${entity}' `)
  })

  it('are reported for options of the service', () => {
    const changesWith = (before: Options, after: Options, name = 'Thing') => {
      const next = schemaOf([{ ...thing(value()), name }], after)
      const { changes, refusals, names } = alterationOf(schemaOf([thing(value())], before), next, 'sqlite')
      return [changes.map(({ grade, text }) => [grade, text]), refusals.map(({ text }) => text), names]
    }
    expect(changesWith({}, { applyMultiTenancy: true })).toEqual([
      [['locks', "'tenant_id' of 'Thing' is new."], table('changes its indexes.')],
      ["'Thing' belongs to tenants, which fails if there are records of none yet."],
      [],
    ])
    expect(changesWith({}, { applyCustomField: true })).toEqual([
      [['locks', "'custom_fields' of 'Thing' is new."]],
      [],
      [],
    ])
    const kept = (name: string) => ({ applySot: true, sotEntities: [name] })
    expect(changesWith({}, kept('Thing'))).toEqual([
      [['safe', "The history of 'Thing' is new."]],
      [],
      ['Thing_history'],
    ])
    expect(changesWith(kept('Thing'), kept('Item'), 'Item')).toEqual([
      [table("is renamed to 'Item'."), ['locks', "The history of 'Thing' is renamed to 'Item'."]],
      [],
      ['Item', 'Item_history'],
    ])
  })

  it('refuse equal values of a new unique field within each tenant', () => {
    const refusalsOf = (before: Attribute | undefined, after: Attribute) =>
      alterationOf(
        schemaOf([before === undefined ? thing() : thing(value(before))], { applyMultiTenancy: true }),
        schemaOf([thing(value({ ...after, unique: true }))], { applyMultiTenancy: true }),
        'sqlite',
      ).refusals
    const [tenant, own] = ['"tenant_id"', '"value"']
    const grouped = `${tenant} IS NOT NULL AND ${own} IS NOT NULL GROUP BY ${tenant}, ${own} HAVING COUNT(*) > 1`
    expect(refusalsOf(number, number)).toMatchObject([
      {
        text: "'value' of 'Thing' is unique, which fails if there are records with the same value.",
        query: queryOf('Thing', grouped, 1001),
      },
    ])
    expect(refusalsOf({ dataType: 'boolean' }, number)).toEqual([])
    expect(refusalsOf(undefined, number)).toEqual([])
  })

  it('refuse values that match no record of a new target', () => {
    const otherId = aTypeAttribute({ ...value(number), name: 'otherId', uid: 'uid of otherId' })
    const refusalsOf = (before: readonly EntityNode[]) =>
      alterationOf(schemaOf(before), schemaOf(related()), 'sqlite').refusals
    const [none, match] = ['"cadmus_value" IS NOT NULL', '"cadmus_other"."cadmus_value" = "cadmus_own"."cadmus_value"']
    const values = (name: string, column: string) => `(SELECT "${column}" AS "cadmus_value" FROM "${name}")`
    expect(refusalsOf([other, thing(otherId)])).toMatchObject([
      {
        text: "'otherId' of 'Thing' refers to 'Other', which fails if there are records whose value is none there.",
        query: `SELECT 1 FROM ${values('Thing', 'otherId')} AS "cadmus_own" WHERE ${none} AND NOT EXISTS (SELECT 1 FROM ${values('Other', 'id')} AS "cadmus_other" WHERE ${match}) LIMIT 1001`,
      },
    ])
    expect(refusalsOf(related())).toEqual([])
    // A relation to the same entity is another one if its target is another entity or attribute.
    const another = { ...other, id: 3, uid: 'uid of Another', name: 'Another' }
    const code = aTypeAttribute({ name: 'code', ...number, unique: true })
    const numbered = { ...other, typeAttributes: aList(...other.typeAttributes, code) }
    const relatedTo = (target: EntityNode, associatedEntityTypeAttribute = 'id') => {
      const place = { uid: 'uid of otherId', foreignKeyTypeAttribute: 'otherId', position: 1, nullable: true }
      return { ...thing(), entityAttributes: [aRelationship(target, { ...place, associatedEntityTypeAttribute })] }
    }
    const targetsOf = (...[before, after]: readonly EntityNode[]) => {
      const [old, now] = [before, after].map(entity => schemaOf([numbered, another, ...(entity ? [entity] : [])]))
      return alterationOf(old!, now!, 'sqlite').refusals.map(({ query }) => query)
    }
    const toAnother = expect.stringContaining(values('Another', 'id'))
    expect(targetsOf(relatedTo(numbered), relatedTo(another))).toEqual([toAnother])
    const toCode = expect.stringContaining(values('Other', 'code'))
    expect(targetsOf(relatedTo(numbered), relatedTo(numbered, 'code'))).toEqual([toCode])
    expect(refusalsOf([other, thing()])).toEqual([])
    // Values that cannot be converted are lost, so they need no matching record.
    expect(refusalsOf([other, thing({ ...otherId, dataType: 'boolean' })])).toEqual([])
  })
})
