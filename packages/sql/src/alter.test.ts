import { packageModelFormat } from '@cadmus/model/api/package-model'
import { newConfiguration } from '@cadmus/model/configuration'
import type { EntityNode } from '@cadmus/model/entity'
import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { describe, expect, it } from 'vitest'
import { alterable, alterationOf } from './alter.ts'
import { instanceSchemaOf } from './instance-schema.ts'
import { packageOf } from './testing/packages.ts'

const id = aKey()
const name = aTypeAttribute({ name: 'name' })
const customer = anEntity({ name: 'Customer', typeAttributes: aList(id, name) })
const supplier = anEntity({ name: 'Supplier', typeAttributes: aList(aKey(), name) })
const relationship = aRelationship(customer, { position: 1, foreignKeyTypeAttribute: 'partner' })
const order = anEntity({ name: 'Order', typeAttributes: aList(aKey()), entityAttributes: [relationship] })

describe.each(alterable)('Entities with the names of tables of the instance on %s', dialect => {
  it('get renamed tables that can be altered', () => {
    const entityNamed = (name: string, more: readonly TypeAttribute[] = []) =>
      anEntity({ name, uid: `uid of ${name}`, typeAttributes: aList({ ...id }, ...more) })
    const all = ['cadmus_package', 'Cadmus_Aside_0', 'cadmus_aside_1', 'cadmus_packages']
    const schemaOf = (more: readonly TypeAttribute[]) => {
      const resolvedModel = aResolvedModel(all.map(one => entityNamed(one, more)))
      return instanceSchemaOf(packageOf(resolvedModel, 1), dialect)
    }
    const before = schemaOf([])
    expect(all.map(one => before.tables.get(one)?.name)).toEqual([
      expect.stringMatching(/^t_cadmus_package_[0-9a-f]{8}$/),
      expect.stringMatching(/^t_Cadmus_Aside_0_[0-9a-f]{8}$/),
      expect.stringMatching(/^t_cadmus_aside_1_[0-9a-f]{8}$/),
      'cadmus_packages',
    ])
    const { statements } = alterationOf(before.schema, schemaOf([name]).schema, dialect)
    const created = statements.flatMap(text => /^CREATE TABLE "([^"]+)"/.exec(text)?.[1] ?? [])
    expect(new Set(created).size).toBe(4)
  })
})

describe.each(alterable)('The target of a foreign key on %s', dialect => {
  const schemaOf = (entities: readonly EntityNode[], applyMultiTenancy: boolean) => {
    const resolvedModel = aResolvedModel(entities)
    const configuration = newConfiguration('Shop')
    Object.assign(configuration.configurationBuild.serviceConfiguration, { applyMultiTenancy })
    return instanceSchemaOf(
      {
        format: packageModelFormat,
        package: 'shop',
        version: '1.0.0',
        manifestVersion: '1.0.0',
        root: resolvedModel.root.id,
        manifests: [...resolvedModel.manifests],
        entities: [...entities],
        configuration,
      },
      dialect,
    ).schema
  }
  const lossesOf = (after: readonly EntityNode[]) =>
    [false, true].map(tenancy => {
      const before = schemaOf([customer, supplier, order], tenancy)
      const { changes } = alterationOf(before, schemaOf(after, tenancy), dialect)
      return changes.flatMap(({ grade, text, query }) => (grade === 'losesData' ? [[text, query]] : []))
    })
  const another = [
    "'partner' of 'Order' refers to a different target, where its values identify other records.",
    'SELECT 1 FROM "Order" WHERE "partner" IS NOT NULL LIMIT 1',
  ]

  it('the target of a foreign key on %s is unchanged when it is renamed', () => {
    const client = { ...customer, name: 'Supplier', typeAttributes: aList({ ...id, name: 'number' }, name) }
    const to = aRelationship(client, { ...relationship, associatedEntityTypeAttribute: 'number' })
    const related = { ...to, associatedEntity: { id: client.id, name: client.name, path: client.path } }
    const vendor = { ...supplier, name: 'Customer' }
    expect(lossesOf([client, vendor, { ...order, entityAttributes: [related] }])).toEqual([[], []])
  })

  it('is different in another entity, which would lose values', () => {
    const related = aRelationship(supplier, { position: 1, foreignKeyTypeAttribute: 'partner', uid: relationship.uid })
    expect(lossesOf([customer, supplier, { ...order, entityAttributes: [related] }])).toEqual([[another], [another]])
  })

  it('is different for another attribute, even of the same name', () => {
    const numbered = aList({ ...id, name: 'number', purpose: 'hasA' as const }, name, aKey())
    expect(lossesOf([{ ...customer, typeAttributes: numbered }, supplier, order])).toEqual([[another], [another]])
  })
})
