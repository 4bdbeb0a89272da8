import { expect, it } from 'vitest'
import { entityDocument, manifest } from '../testing/cdm-folder.ts'
import { readCdm } from './read.ts'

// Exported folder of an earlier release, without CDM data types for formats and without plain attributes for
// referenced keys. The hashes match its documents exactly.

const attribute = (name: string, dataType: string, purpose = 'hasA') => ({ name, purpose, dataType, isNullable: false })
const foreignKey = (name: string, source: string, reference: string) => ({
  name,
  entity: {
    source,
    operations: [{ $type: 'replaceAsForeignKey', reference, replaceWith: attribute(name, 'string', 'identifiedBy') }],
  },
})
const names = ['Person', 'Employee', 'Manager']
const paths = (name: string) => `${name}.cdm.json/${name}`
const uid = (number: number) => `01890000-0000-7000-8000-00000000000${number}`
const projections = { jsonSchemaSemanticVersion: '1.4.0' }

const documents: Readonly<Record<string, unknown>> = {
  'Shop.manifest.cdm.json': manifest('Shop', names.map(paths)),
  'Person.cdm.json': entityDocument('Person', [
    attribute('personId', 'string', 'identifiedBy'),
    attribute('photo', 'object'),
    attribute('salary', 'double'),
    attribute('note', 'object'),
  ]),
  'Employee.cdm.json': {
    ...entityDocument('Employee', [foreignKey('employeeId', 'Person', 'personId')], {}, ['Person.cdm.json']),
    ...projections,
  },
  'Manager.cdm.json': {
    ...entityDocument('Manager', [foreignKey('managerId', 'Employee', 'employeeId')], {}, ['Employee.cdm.json']),
    ...projections,
  },
}

const column = (kind: string, name: string, number: number, fields: unknown) => ({
  kind,
  name,
  uid: uid(number),
  fields,
})
const record = (name: string, number: number, hash: string, attributes: unknown[]) => ({
  path: `/${paths(name)}`,
  hash,
  uid: uid(number),
  referenceImportPaths: [],
  attributes,
})
const beside = {
  document: 'cadmus-cdm',
  format: 1,
  entities: [
    record('Person', 1, 'eaa3fc49cb2cbefe67e18c059dfb341799c59b9f66f7803148f54d6b1f4a75b2', [
      column('type', 'personId', 2, { format: 'guid' }),
      column('type', 'photo', 3, { choices: [], format: 'binary' }),
      column('type', 'salary', 4, { choices: [], precision: 10, scale: 2, format: 'decimal' }),
      column('type', 'note', 5, { choices: [], format: 'text' }),
    ]),
    record('Employee', 6, 'a9c675e77e0029e31566313a14c6a102fc02fa39f5c1e1bfc90a6e365eee4318', [
      column('relationship', 'employeeId', 7, {}),
    ]),
    record('Manager', 8, '77f43d905c3684b7d593b79ad4a258af4799e42f3e59e7325e32ff7e549b9593', [
      column('relationship', 'managerId', 9, { foreignKeyDataType: 'string' }),
    ]),
  ],
}

it('a folder exported before CDM types were written for formats is imported with its formats and keys', () => {
  const files = new Map(Object.entries(documents).map(([path, json]) => [path, `${JSON.stringify(json, null, 2)}\n`]))
  const { entities, report } = readCdm(files.set('cadmus.json', JSON.stringify(beside)))
  expect(report).toEqual([])
  expect(entities).toMatchObject([
    {
      uid: uid(1),
      typeAttributes: [
        { uid: uid(2), name: 'personId', dataType: 'string', format: 'guid' },
        { uid: uid(3), name: 'photo', dataType: 'object', format: 'binary' },
        { uid: uid(4), name: 'salary', dataType: 'double', format: 'decimal', precision: 10, scale: 2 },
        { uid: uid(5), name: 'note', dataType: 'object', format: 'text' },
      ],
    },
    {
      uid: uid(6),
      typeAttributes: [],
      entityAttributes: [
        { uid: uid(7), foreignKeyTypeAttribute: 'employeeId', associatedEntityTypeAttribute: 'personId' },
      ],
    },
    {
      uid: uid(8),
      typeAttributes: [],
      entityAttributes: [
        { uid: uid(9), foreignKeyTypeAttribute: 'managerId', associatedEntityTypeAttribute: 'employeeId' },
      ],
    },
  ])
})
