import { describe, expect, it } from 'vitest'
import { cdmFolder, entityDocument, entityOf, key, manifest } from '../testing/cdm-folder.ts'
import { readCdm } from './read.ts'

type Json = Record<string, unknown>

const person = [key('personId'), ...['name', 'age', 'email'].map(name => ({ name, dataType: 'string' }))]

/** Reads an entity with a single member, or one that extends Person. */
function read(member: Json | undefined, more: Json = {}, others: Record<string, unknown> = {}) {
  const model = readCdm(
    cdmFolder({
      'm.manifest.cdm.json': manifest('Model', [
        'Person.cdm.json/Person',
        'Thing.cdm.json/Thing',
        ...Object.keys(others).map(path => `${path}/${path.split('.')[0]}`),
      ]),
      'Person.cdm.json': entityDocument('Person', person),
      'Thing.cdm.json': entityDocument('Thing', member ? [member] : [], more, [
        'Person.cdm.json',
        ...Object.keys(others),
      ]),
      ...others,
    }),
  )
  const { typeAttributes, entityAttributes } = entityOf(model, 'Thing')
  const all = [
    ...typeAttributes.map(({ name, position }) => ({ name, position })),
    ...entityAttributes.map(item => ({ name: item.foreignKeyTypeAttribute, position: item.position })),
  ]
  const names = all.toSorted((a, b) => a.position - b.position).map(item => item.name)
  // Omits the remark that Person's key is not a key, which every inclusion reports.
  const report = model.report.filter(line => !line.message.endsWith(' not a key here.'))
  return { names, entityAttributes, report: report.map(line => `${line.path}: ${line.message}`) }
}

/** An entity attribute named "who" with operations on Person. */
function who(operations: Json[], more: Json = {}): Json {
  return { name: 'who', entity: { source: 'Person', operations, ...more } }
}

describe('projections in CDM documents', () => {
  it.each<[string, Json[], Json, string[]]>([
    ['without operations all attributes are included', [], {}, ['personId', 'name', 'age', 'email']],
    [
      'exclude',
      [{ $type: 'excludeAttributes', excludeAttributes: ['age', 'nothing'] }],
      {},
      ['personId', 'name', 'email'],
    ],
    [
      'include, in the order of its list',
      [{ $type: 'includeAttributes', includeAttributes: ['email', 'name'] }],
      {},
      ['email', 'name'],
    ],
    [
      'rename all and some',
      [
        { $type: 'renameAttributes', renameFormat: '{a}{M}' },
        { $type: 'renameAttributes', renameFormat: '{mo}_x', applyTo: ['whoAge'] },
      ],
      { runSequentially: true },
      ['whoPersonId', 'whoName', 'age_x', 'whoEmail'],
    ],
    [
      'a former name after a rename',
      [
        { $type: 'renameAttributes', renameFormat: 'x_{m}' },
        { $type: 'excludeAttributes', excludeAttributes: ['name', 'x_age'] },
      ],
      { runSequentially: true },
      ['x_personId', 'x_email'],
    ],
    [
      'expansion by ordinals, then names',
      [
        { $type: 'includeAttributes', includeAttributes: ['name', 'age'] },
        { $type: 'arrayExpansion', startOrdinal: 1, endOrdinal: 2 },
        { $type: 'renameAttributes', renameFormat: '{m}{o}' },
        { $type: 'addCountAttribute', countAttribute: { name: 'count', dataType: 'integer' } },
      ],
      { runSequentially: true },
      ['name1', 'age1', 'name2', 'age2', 'count'],
    ],
    [
      'an expansion that ends before it starts',
      [{ $type: 'arrayExpansion', startOrdinal: 3, endOrdinal: 2 }],
      {},
      ['personId', 'name', 'age', 'email'],
    ],
    [
      'combined attributes',
      [{ $type: 'combineAttributes', select: ['name', 'email'], mergeInto: { name: 'contact', dataType: 'string' } }],
      {},
      ['personId', 'age', 'contact'],
    ],
    [
      'additions, at the top too',
      [
        { $type: 'includeAttributes', includeAttributes: ['name'] },
        { $type: 'addSupportingAttribute', supportingAttribute: { name: 'name_display', dataType: 'string' } },
        { $type: 'addArtifactAttribute', newAttribute: { name: 'first', dataType: 'string' }, insertAtTop: true },
      ],
      { runSequentially: true },
      ['first', 'name', 'name_display'],
    ],
    [
      'non-sequential operations each run on the source',
      [
        { $type: 'includeAttributes', includeAttributes: ['name'] },
        { $type: 'includeAttributes', includeAttributes: ['email'] },
      ],
      {},
      ['name', 'email'],
    ],
    [
      'a false condition',
      [{ $type: 'excludeAttributes', excludeAttributes: ['age'], condition: 'structured' }],
      {},
      ['personId', 'name', 'age', 'email'],
    ],
    [
      'true conditions',
      [
        {
          $type: 'excludeAttributes',
          excludeAttributes: ['age'],
          condition: '!structured && (referenceOnly || virtual)',
        },
        { $type: 'excludeAttributes', excludeAttributes: ['name'], condition: 'cardinality.maximum <= 1' },
      ],
      { runSequentially: true },
      ['personId', 'email'],
    ],
  ])('a projection is applied: %s', (_, operations, more, names) => {
    const result = read(who(operations, more))
    expect(result.names).toEqual(names)
    expect(result.report).toEqual([])
  })

  it('a composite foreign key becomes one relationship for each of its attributes', () => {
    const replace = (reference: string) => ({
      $type: 'replaceAsForeignKey',
      reference,
      replaceWith: { name: `${reference}Key`, dataType: 'entityId' },
    })
    const { entityAttributes, names, report } = read(who([replace('personId'), replace('name')]))
    expect(names).toEqual(['personIdKey', 'nameKey'])
    expect(entityAttributes).toMatchObject([
      { foreignKeyTypeAttribute: 'personIdKey', associatedEntityTypeAttribute: 'personId' },
      { foreignKeyTypeAttribute: 'nameKey', associatedEntityTypeAttribute: 'name' },
    ])
    expect(report).toEqual([])
  })

  it('nested projections run innermost first', () => {
    const source = { source: 'Person', operations: [{ $type: 'renameAttributes', renameFormat: 'in_{m}' }] }
    const entity = { source, operations: [{ $type: 'includeAttributes', includeAttributes: ['in_age'] }] }
    expect(read({ name: 'who', entity }).names).toEqual(['in_age'])
  })

  it('the projection of a type attribute runs on that attribute', () => {
    const operations = [
      { $type: 'arrayExpansion', startOrdinal: 1, endOrdinal: 3 },
      { $type: 'renameAttributes', renameFormat: '{a}_{o}' },
    ]
    const phone = { name: 'phone', dataType: 'string', projection: { runSequentially: true, operations } }
    expect(read(phone).names).toEqual(['phone_1', 'phone_2', 'phone_3'])
  })

  it('the projection on a parent is applied; a projection that omits attributes ends the inheritance and is reported', () => {
    const operations = [
      { $type: 'excludeAttributes', excludeAttributes: ['age'] },
      { $type: 'addTypeAttribute', typeAttribute: { name: 'kind', dataType: 'entityName' } },
    ]
    const extendsEntity = { source: 'Person', runSequentially: true, operations }
    const { names, report } = read({ name: 'own', dataType: 'string' }, { extendsEntity })
    expect(names).toEqual(['personId', 'name', 'email', 'kind', 'own'])
    expect(report).toEqual([
      'Thing.cdm.json/Thing: It leaves out "age" of "/Person.cdm.json/Person"; it was imported with all its attributes and extends nothing.',
    ])
  })

  it('unknown operations and conditions, missing sources and self-inclusion are reported', () => {
    const strange = [
      { $type: 'turnAround' },
      { $type: 'excludeAttributes', excludeAttributes: ['age'], condition: 'moon == full' },
      { $type: 'addArtifactAttribute', newAttribute: { name: 'more', entity: 'Person' } },
    ]
    expect(read(who(strange, { runSequentially: true })).report).toEqual([
      'Thing.cdm.json/Thing/who: The operation "turnAround" is not supported; it was left out.',
      'Thing.cdm.json/Thing/who: The operation "addArtifactAttribute" is not supported; it was left out.',
      'Thing.cdm.json/Thing/who: The condition "moon == full" is not supported; it was read as true.',
    ])
    for (const source of ['Thing', 'Nobody']) {
      expect(read({ name: 'who', entity: { source, operations: [] } }).report).toEqual([
        `Thing.cdm.json/Thing/who: The attributes of "${source}" are missing: it was not found, or contains itself.`,
      ])
    }
  })

  it('dropped groups and unrequested keys are reported', () => {
    const group = [{ $type: 'addAttributeGroup', attributeGroupName: 'About' }]
    const result = read(who(group))
    expect(result.names).toEqual(['personId', 'name', 'age', 'email'])
    expect(result.report).toEqual([
      'Thing.cdm.json/Thing/who: The attribute group "About" was left out; its attributes were included without it.',
    ])
    expect(read({ name: 'who', dataType: 'entityId', entity: { source: 'Person' } })).toMatchObject({
      names: ['who'],
      report: [
        'Thing.cdm.json/Thing/who: No operation makes it a foreign key, but it has a data type; it was read as a foreign key.',
      ],
    })
    expect(read({ name: 'who', entity: 'Person' })).toMatchObject({
      names: ['whoId'],
      report: [
        'Thing.cdm.json/Thing/who: It has no resolution guidance and no operations; it was read as a foreign key.',
      ],
    })
  })

  it.each<[string, Json, string[]]>([
    ['nothing for an empty list', { selectsSubAttribute: { selects: 'some', selectsSomeTakeNames: [] } }, []],
    [
      'attributes by old or new name',
      { selectsSubAttribute: { selects: 'some', selectsSomeTakeNames: ['age', 'whoEmail'] } },
      ['whoAge', 'whoEmail'],
    ],
    [
      'a polymorphic target with its type',
      {
        renameFormat: '{m}',
        selectsSubAttribute: { selects: 'one', selectedTypeAttribute: { name: 'kind', dataType: 'entityName' } },
      },
      ['personId', 'name', 'age', 'email', 'kind'],
    ],
    ['a reference that is not excluded', { renameFormat: '{m}', entityByReference: {} }, ['id']],
    [
      'a number of repetitions with a count',
      {
        cardinality: 'many',
        removedDirectives: ['referenceOnly'],
        renameFormat: '{a}{o}{M}',
        selectsSubAttribute: { selects: 'some', selectsSomeTakeNames: ['age'] },
        expansion: { startingOrdinal: 2, maximumExpansion: 3, countAttribute: { name: 'count', dataType: 'integer' } },
      },
      ['whoCount', 'who2Age', 'who3Age', 'who4Age'],
    ],
  ])('resolution guidance includes %s', (_, resolutionGuidance, names) => {
    expect(read({ name: 'who', entity: 'Person', resolutionGuidance })).toMatchObject({ names, report: [] })
  })

  it('reading projections that multiply without bounds terminates', () => {
    const grow = Array.from({ length: 3_000 }, () => [
      { $type: 'arrayExpansion', startOrdinal: 1, endOrdinal: 20 },
      { $type: 'renameAttributes', renameFormat: '{m}{o}' },
    ]).flat()
    const { report } = read(who(grow, { runSequentially: true }))
    expect(report).toContain('Thing.cdm.json/Thing: It has more than 20000 attributes; the others were left out.')
    const joined = read(who(Array.from({ length: 20_000 }, () => ({ $type: 'excludeAttributes' }))))
    expect(joined.report).toContain(
      'Thing.cdm.json/Thing: It has more than 20000 attributes; the others were left out.',
    )
  })
})
