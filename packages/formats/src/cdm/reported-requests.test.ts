import { describe, expect, it } from 'vitest'
import { cdmFolder, entityDocument, entityOf, manifest, table } from '../testing/cdm-folder.ts'
import { readCdm } from './read.ts'

type Json = Record<string, unknown>

const person = [
  { name: 'personId', dataType: 'entityId' },
  { name: 'name', dataType: 'string' },
]

function read(members: unknown[], more: Json = {}) {
  const model = readCdm(
    cdmFolder({
      'm.manifest.cdm.json': manifest('Model', ['Person.cdm.json/Person', 'Thing.cdm.json/Thing']),
      'Person.cdm.json': entityDocument('Person', person),
      'Thing.cdm.json': entityDocument('Thing', members, more, ['Person.cdm.json']),
    }),
  )
  const entity = entityOf(model, 'Thing')
  const report = model.report.map(line => `${line.path.replace('Thing.cdm.json/Thing/', '')}: ${line.message}`)
  return { entity, report }
}

function who(operations: Json[], more: Json = {}): Json {
  return { name: 'who', entity: { source: 'Person', operations, ...more } }
}

const into = { name: 'made', dataType: 'string' }
const some = (names: string[]) => ({ selectsSubAttribute: { selects: 'some', selectsSomeTakeNames: names } })

describe('unsupported and invalid requests in CDM documents', () => {
  it.each<[string, Json, string[], string[]]>([
    [
      'includeAttributes',
      who([{ $type: 'includeAttributes', includeAttributes: ['zzz', 'name'] }]),
      ['name'],
      ['who: includeAttributes names "zzz", which does not exist.'],
    ],
    [
      'includeAttributes of missing names only',
      who([{ $type: 'includeAttributes', includeAttributes: ['aa', 'bb', 'cc', 'dd'] }]),
      [],
      [
        'who: includeAttributes names "aa", "bb", "cc" and 1 more, which do not exist.',
        'who: Its operations leave no attribute.',
      ],
    ],
    [
      'excludeAttributes of all',
      who([{ $type: 'excludeAttributes', excludeAttributes: ['personId', 'name'] }]),
      [],
      ['who: Its operations leave no attribute.'],
    ],
    [
      'renameAttributes',
      who([{ $type: 'renameAttributes', renameFormat: 'q_{m}', applyTo: ['zzz'] }]),
      ['personId', 'name'],
      ['who: renameAttributes names "zzz", which does not exist.'],
    ],
    [
      'combineAttributes',
      who([{ $type: 'combineAttributes', select: ['zzz'], mergeInto: into }]),
      ['personId', 'name'],
      ['who: combineAttributes names "zzz", which does not exist.'],
    ],
    [
      'replaceAsForeignKey',
      who(
        [
          { $type: 'renameAttributes', renameFormat: 'q_{m}' },
          { $type: 'replaceAsForeignKey', reference: 'zzz', replaceWith: into },
        ],
        { runSequentially: true },
      ),
      [],
      ['who: replaceAsForeignKey names "zzz", which does not exist.', 'who: Its operations leave no attribute.'],
    ],
    [
      'selectsSomeTakeNames',
      { name: 'who', entity: 'Person', resolutionGuidance: some(['zzz', 'name', 'whoPersonId']) },
      ['whoPersonId', 'whoName'],
      ['who: selectsSomeTakeNames names "zzz", which does not exist.'],
    ],
  ])('unsupported content is reported: %s', (_, member, names, report) => {
    const result = read([member])
    expect(result.entity.typeAttributes.map(({ name }) => name)).toEqual(names)
    expect(result.report).toEqual(report)
  })

  it('missing names in selectsSomeTakeNames of a parent are reported', () => {
    const more = { extendsEntity: 'Person', extendsEntityResolutionGuidance: some(['name', 'personId', 'zzz']) }
    expect(read([], more).report).toEqual([
      'Thing.cdm.json/Thing: selectsSomeTakeNames names "zzz", which does not exist.',
    ])
  })

  it('values that an attribute cannot have are dropped and reported', () => {
    const shaped = (precision: unknown, scale: unknown) => ({
      dataTypeReference: 'decimal',
      appliedTraits: [
        {
          traitReference: 'is.dataFormat.numeric.shaped',
          arguments: [
            { name: 'precision', value: precision },
            { name: 'scale', value: scale },
          ],
        },
      ],
    })
    const { report } = read([
      { name: 'negative', dataType: 'string', maximumLength: '-5' },
      { name: 'worded', dataType: 'string', maximumLength: 'ten' },
      { name: 'object', dataType: 'string', defaultValue: { a: 1 } },
      { name: 'listed', dataType: 'string', defaultValue: ['a'] },
      { name: 'scaled', dataType: shaped(10, 70) },
      { name: 'precise', dataType: shaped('many', 2) },
      { name: 'bound', dataType: 'string', valueConstrainedToList: true },
      { name: 'plain', dataType: 'string', maximumLength: '5', defaultValue: 'a', valueConstrainedToList: false },
    ])
    expect(report).toEqual([
      'negative: Its maximum length "-5" is not a positive integer; it was left out.',
      'worded: Its maximum length "ten" is not a positive integer; it was left out.',
      'object: Its default value "{"a":1}" is not a single value; it was left out.',
      'listed: Its default value "["a"]" is not a single value; it was left out.',
      'scaled: Its scale "70" is not an integer from 0 to its precision 10; it was left out.',
      'precise: Its precision "many" is not a positive integer; it was left out.',
      'bound: It declares a value list but has none; it accepts any value.',
    ])
  })

  const choosing = (name: string, rows: unknown[][], dataType = 'listLookup') => ({
    name,
    dataType: {
      dataTypeReference: dataType,
      appliedTraits: [{ traitReference: 'does.haveDefault', arguments: [table('listLookupValues', rows)] }],
    },
  })

  it('choices in several languages keep every value with its English text, otherwise its first', () => {
    const rows = [
      ['de', 'Eins', '1', '0'],
      ['en', 'One', '1', '0'],
      ['fr', 'Un', '1', '0'],
      ['de', 'Drei', '3', '1'],
      ['fr', 'Trois', '3', '1'],
    ]
    const { entity, report } = read([choosing('mixed', rows)])
    expect(entity.typeAttributes[0]?.choices).toEqual(['1', '3'])
    expect(JSON.stringify(entity.typeAttributes[0]?.traits)).toContain('[["en","One","1","0"],["en","Drei","3","1"]]')
    expect(report).toEqual(['m.manifest.cdm.json: 3 texts of choices in other languages were not imported.'])
  })

  it('choices of an integer are read as integers', () => {
    const { entity, report } = read([
      choosing('some', [
        ['en', 'One', '1'],
        ['en', 'Two'],
        ['en', 'Three', { a: 1 }],
      ]),
      choosing('one', [
        ['en', 'One', ' 1 '],
        ['en', 'Two', 'two'],
      ]),
      choosing(
        'texts',
        [
          ['en', 'Two', 'two'],
          ['en', 'Three'],
        ],
        'string',
      ),
    ])
    expect(entity.typeAttributes.map(({ choices }) => choices)).toEqual([['1'], ['1'], ['two', 'Three']])
    expect(report).toEqual([
      'some: 2 choices are invalid for its data type; left out, such as "Two".',
      'one: The choice "two" is invalid for its data type; left out.',
      'one: The choice " 1 " is converted to its data type.',
    ])
  })

  it('values in other notations are normalised', () => {
    const { entity, report } = read([
      { name: 'flag', dataType: 'boolean', defaultValue: ' TRUE ' },
      { name: 'number', dataType: 'integer', defaultValue: ' 5 ' },
      { name: 'code', dataType: 'guid', defaultValue: '{018f3b5c-0000-7000-8000-00000000000a}' },
      { name: 'text', dataType: 'string', defaultValue: ' a ' },
      { name: 'plain', dataType: 'boolean', defaultValue: false },
      {
        name: 'stated',
        dataType: 'integer',
        appliedTraits: [{ traitReference: 'does.haveDefault', arguments: ['7'] }],
      },
      choosing(
        'yes',
        [
          ['en', 'Yes', '1'],
          ['en', 'No', 'False'],
          ['en', 'Maybe', '2'],
        ],
        'boolean',
      ),
    ])
    expect(entity.typeAttributes.map(({ defaultValue }) => defaultValue)).toEqual([
      'true',
      '5',
      '018f3b5c-0000-7000-8000-00000000000a',
      ' a ',
      'false',
      '7',
      null,
    ])
    expect(entity.typeAttributes.at(-1)?.choices).toEqual(['true', 'false'])
    expect(report).toEqual([
      'yes: The choice "2" is invalid for its data type; left out.',
      'flag: Its default value " TRUE " was read as "true".',
      'number: Its default value " 5 " was read as "5".',
      'code: Its default value "{018f3b5c-0000-7000-8000-00000000000a}" was read as "018f3b5c-0000-7000-8000-00000000000a".',
      'yes: 2 choices are converted to its data type, such as "1".',
    ])
  })

  it('a JSON default value with a duplicate key, which databases drop, is reported', () => {
    const { entity, report } = read([
      { name: 'once', dataType: 'json', defaultValue: '{"a": 1, "b": {"a": 2}}' },
      { name: 'twice', dataType: 'json', defaultValue: '{"b": {"a": 1, "a": 2}}' },
      { name: 'text', dataType: 'string', defaultValue: '{"a": 1, "a": 2}' },
    ])
    expect(entity.typeAttributes.find(({ name }) => name === 'twice')?.defaultValue).toBe('{"b": {"a": 1, "a": 2}}')
    expect(report).toEqual([
      'twice: Its default value has the key "a" more than once; databases may keep only one of them.',
    ])
  })

  it('value lists that are missing or empty are reported', () => {
    const listed = (name: string, argument: unknown, traitReference = 'is.constrainedList') => ({
      name,
      dataType: 'string',
      appliedTraits: [{ traitReference, arguments: argument === undefined ? [] : [argument] }],
    })
    const { entity, report } = read([
      listed('gone', { entityReference: 'Gone' }),
      listed('empty', table('listLookupValues', [])),
      listed('shapeless', { entityReference: { entityShape: 'listLookupValues' } }),
      listed('nameless', { entityReference: 7 }, 'does.haveDefault'),
      listed('nothing', undefined),
      listed('blank', table('listLookupValues', [[], ['en']])),
    ])
    expect(entity.typeAttributes.flatMap(({ choices }) => choices)).toEqual([])
    const noList = 'It declares a value list but has none; it accepts any value.'
    expect(report).toEqual([
      'gone: Its list of values "Gone" was not found or is empty; it accepts any value.',
      'empty: Its list of values is empty; it accepts any value.',
      `shapeless: ${noList}`,
      `nameless: ${noList}`,
      `nothing: ${noList}`,
      'blank: Its list of values is empty; it accepts any value.',
    ])
  })

  it('a maximum length that no database supports is reported', () => {
    const { entity, report } = read([
      { name: 'endless', dataType: 'string', maximumLength: 1e12 },
      { name: 'longest', dataType: 'string', maximumLength: 2_147_483_647 },
      { name: 'beyond', dataType: 'string', maximumLength: 1e30 },
      {
        name: 'stated',
        appliedTraits: [{ traitReference: 'does.haveDefault', arguments: [['a']] }],
        dataType: 'string',
      },
    ])
    expect(entity.typeAttributes.map(({ maxLength }) => maxLength)).toEqual([1e12, 2_147_483_647, null, null])
    expect(report).toEqual([
      'beyond: Its maximum length "1e+30" is too large; it was left out.',
      'stated: Its default value "["a"]" is not a single value; it was left out.',
      'endless: Its maximum length 1000000000000 is kept as it is, but this must be a number from 1 to 2147483647.',
    ])
  })

  it('resolution guidance on a group is reported', () => {
    const group = { attributeGroupName: 'Inside', members: [{ name: 'day', dataType: 'date' }] }
    const { report } = read([{ attributeGroupReference: group, resolutionGuidance: { renameFormat: 'zz{M}' } }])
    expect(report).toEqual([
      'Thing.cdm.json/Thing: The resolution guidance of an attribute group was left out; its attributes were included unchanged.',
    ])
  })

  it('the report counts a single source name in the singular', () => {
    const { report } = read([{ name: 'plain', dataType: 'string', sourceName: 'PLN' }])
    expect(report).toEqual(['m.manifest.cdm.json: The source name (sourceName) of one attribute was not imported.'])
  })
})
