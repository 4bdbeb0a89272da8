import type { Api } from '@cadmus/model/api/api'
import { aResolvedModel } from '@cadmus/model/testing/builders'
import { orderLines } from '@cadmus/model/testing/order-lines'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { expect, it } from 'vitest'
import { apiNames } from './api-names.ts'
import { apiOperations } from './api-operations.ts'
import { entityOf, servedFields } from './served-fields.ts'
import { aConfiguration } from './testing/built-packages.ts'
import { anApi } from './testing/sample-api.ts'

it('a relation over several fields has an operation from both ends', () => {
  const names = apiOperations(anApi(aResolvedModel(Object.values(orderLines)))).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['SelectAllShipmentByOrderLine', 'SelectOrderLineByShipment']))
})

it('relations over several fields leave all other names and members of an API as they were', () => {
  const configuration = aConfiguration({ services: { applyCustomField: true } })
  let count = 0
  for (let seed = 1; seed <= 60; seed += 1) {
    const api = anApi(arbitraryModel(seed), configuration)
    const before = withoutSeveral(api)
    if (apiOperations(api).length > apiOperations(before).length) count += 1
    const namesNow = new Map(apiOperations(api).map(operation => [identityOf(operation), operation.name]))
    for (const operation of apiOperations(before)) expect(namesNow.get(identityOf(operation))).toBe(operation.name)
    for (const [name, { type, members }] of apiNames(before)) {
      const now = apiNames(api).get(name)
      expect(now?.type).toBe(type)
      expect([...(now?.members ?? [])]).toEqual(expect.arrayContaining([...members]))
    }
    for (const entity of before.entities) {
      const now = entityOf(api, entity.name)
      expect(now?.relations.slice(0, entity.relations.length)).toEqual(entity.relations)
      expect(now && servedFields(api, now)).toEqual(servedFields(before, entity))
    }
  }
  expect(count).toBeGreaterThan(10)
})

/** The API of versions that had relations over one field only. */
function withoutSeveral(api: Api): Api {
  const entities = api.entities.map(entity => ({
    ...entity,
    relations: entity.relations.filter(({ pairs }) => pairs.length === 1),
  }))
  return { ...api, entities }
}

function identityOf(operation: ReturnType<typeof apiOperations>[number]): string {
  const { kind, entity } = operation
  const part = kind === 'related' ? operation.relation.name : kind === 'aggregate' ? operation.aggregate.name : ''
  return JSON.stringify([kind, entity.name, part])
}
