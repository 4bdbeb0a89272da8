import type { PackageModel } from '@cadmus/model/api/package-model'
import { describe, expect, it } from 'vitest'
import { apiOf } from '../api-of.ts'
import { instanceSchemaOf } from '../instance-schema.ts'
import { runnerEngines } from '../testing/engine-runners.ts'
import { outcomeOf } from '../testing/runners.ts'
import { aShop, everyRecord } from '../testing/shop.ts'
import { compileApi } from './compile.ts'

const numbers = ['back\\slash', 'back%', '100!', 'Backs']
const patterns = {
  'back\\%': ['back\\slash'],
  'back\\_lash': ['back\\slash'],
  '100!': ['100!'],
  'back%': ['back%', 'back\\slash'],
}

describe('Queries on every database', () => {
  for (const [name, { dialect, availability, start }] of Object.entries(runnerEngines)) {
    const { present, advice } = availability
    it.skipIf(!present)(
      `treat only % and _ as wildcards and write hours with two digits: ${name} ${advice}`,
      async () => {
        const server = await start()
        const model = withTimes(aShop())
        const schema = instanceSchemaOf(model, dialect)
        const compiled = compileApi(apiOf(model), schema, dialect)
        const runner = await server.open(compiled.session)
        const caller = { name: 'ann', tenant: null }
        try {
          await runner.make(schema.statements)
          for (const number of numbers) {
            const record = { number, placed: '09:05' }
            const { outcome } = await outcomeOf(compiled, runner, { kind: 'insert', entity: 'Order', record }, caller)
            expect(outcome).toMatchObject({ record: { number, placed: '09:05:00' } })
          }
          for (const [value, expected] of Object.entries(patterns)) {
            const filters = [{ field: 'number', comparison: 'like', value } as const]
            const select = { fields: ['number', 'placed'], relations: [] }
            const operation = { kind: 'selectAll', entity: 'Order', select, ...everyRecord, filters } as const
            const { outcome } = await outcomeOf(compiled, runner, operation, caller)
            expect({ value, ...outcome }).toMatchObject({
              records: expected.map(number => ({ number, placed: '09:05:00' })),
            })
          }
        } finally {
          await runner.close()
          await server.stop()
        }
      },
    )

    it.skipIf(!present)(`index a long text within a tenant or not at all: ${name} ${advice}`, async () => {
      const server = await start()
      const shop = aShop(({ serviceConfiguration }) => {
        serviceConfiguration.applyMultiTenancy = true
      })
      for (const maxLength of [255, 560, 670, 700, 768, 900]) {
        const runner = await server.open([])
        const { statements } = instanceSchemaOf(withLongNames(shop, maxLength), dialect)
        await expect(runner.make(statements), `${maxLength}`).resolves.toBeUndefined()
        await runner.close()
      }
      await server.stop()
    })
  }
})

function withTimes(model: PackageModel): PackageModel {
  const entities = model.entities.map(entity => ({
    ...entity,
    typeAttributes: entity.typeAttributes.map(one =>
      one.name === 'placed' ? { ...one, format: 'time' as const } : one,
    ),
  }))
  return { ...model, entities }
}

function withLongNames(model: PackageModel, maxLength: number): PackageModel {
  const entities = model.entities.map(entity => ({
    ...entity,
    typeAttributes: entity.typeAttributes.map(one =>
      one.name === 'name' ? { ...one, maxLength, indexed: true } : one,
    ),
  }))
  return { ...model, entities }
}
