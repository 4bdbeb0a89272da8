import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { propertiesOf, type TestDatabase, testDatabases } from '../testing/databases.ts'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'
import { type RestClient, restClient } from '../testing/rest-client.ts'

describe.each(testDatabases)('REST over $name', ({ create, present }) => {
  let database: TestDatabase
  let instance: TestInstance
  let shop: RestClient
  beforeAll(async () => {
    if (!present) return
    database = await create()
    instance = await startTestInstance()
    const zip = packageZip({ properties: propertiesOf(database.settings) })
    await instance.upload(zip)
    await instance.settled('shop')
    shop = await restClient(instance)
  })
  afterAll(async () => {
    if (!present) return
    await instance.stop()
    await database.drop()
  })

  it.skipIf(!present)('makes, reads, changes and deletes a record, with the key in the body of a change', async () => {
    const made = await shop.ask('POST', '/customer', { name: 'Ann', credit: '12.50', points: '9223372036854775807' })
    expect(made.status).toBe(200)
    expect(made.body).toMatchObject({
      result: 'OK',
      warnings: [],
      customer: {
        name: 'Ann',
        credit: '12.5',
        level: 'plain',
        active: true,
        points: '9223372036854775807',
        email: null,
      },
    })
  })
})
