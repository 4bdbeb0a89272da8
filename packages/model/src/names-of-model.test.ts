import { expect, it } from 'vitest'
import type { EntityNode } from './entity.ts'
import { withFollowedReferences } from './names-of-model.ts'
import { aKey, aList, anEntity, aRelationship, aTypeAttribute, referenceTo } from './testing/builders.ts'

const byId = (...entities: EntityNode[]) => new Map(entities.map(entity => [entity.id, entity]))

it('references follow renamed entities and columns, inherited ones too, and other entities remain the same objects', () => {
  const code = aTypeAttribute({ name: 'code' })
  const patient = anEntity({ name: 'Patient', typeAttributes: aList(aKey(), code) })
  const special = anEntity({ name: 'Special', extendsEntity: referenceTo(patient), typeAttributes: [] })
  const visit = anEntity({
    name: 'Visit',
    entityAttributes: [
      aRelationship(special, { associatedEntityTypeAttribute: 'code', associatedEntityTypeAttributeUid: code.uid }),
    ],
  })
  const ward = anEntity({ name: 'Ward', entityAttributes: [aRelationship(visit)] })
  const renamed = { ...patient, name: 'Person', typeAttributes: aList(aKey(), { ...code, name: 'number' }) }
  const after = withFollowedReferences(byId(patient, special, visit, ward), byId(renamed, special, visit, ward))
  expect(after.get(special.id)?.extendsEntity?.name).toBe('Person')
  expect(after.get(visit.id)?.entityAttributes[0]?.associatedEntityTypeAttribute).toBe('number')
  expect(after.get(ward.id)).toBe(ward)
})
