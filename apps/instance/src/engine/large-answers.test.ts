import { isProving } from '@cadmus/testing/proof'
import { expect, it } from 'vitest'
import { casesOn, propertiesOf, testDatabases } from '../testing/databases.ts'
import { insertCustomers } from '../testing/insert-customers.ts'
import { startTestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'

const refusal = 'The answer would be larger than 64 MB. Request fewer records or fewer fields.'

it.each(testDatabases)(
  'a list larger than 64 MB on $name is refused over every protocol without ending the instance',
  async ({ name, present, create }) => {
    if (!present) return
    const database = await create()
    const instance = await startTestInstance()
    await instance.upload(packageZip({ properties: propertiesOf(database.settings) }))
    await instance.settled('shop')
    const post = (path: string, body: string, type = 'application/json') =>
      instance.fetch(path, { method: 'POST', headers: { 'content-type': type }, body })
    await insertCustomers(instance, { name: 'Ada', email: 'x'.repeat(5_000_000) }, 14)
    const ask = async (query: string) => {
      const answer = await instance.fetch(`/api/shop/1.0/customer?limit=1000${query}`)
      return { status: answer.status, body: JSON.parse(await answer.text()) }
    }
    const refused = { status: 400, body: { result: 'ERROR', message: refusal } }
    const overRest = async () => expect(await ask('')).toEqual(refused)
    const overOthers = async () => {
      const graphql = await post(
        '/graphql/shop/1.0',
        JSON.stringify({ query: '{ customerList(limit: 1000) { records { email } } }' }),
      )
      expect(await graphql.text()).toContain(refusal)
      const list = '<SelectAllCustomer xmlns="urn:cadmus:shop:1.0"><limit>1000</limit></SelectAllCustomer>'
      const soap = await post(
        '/soap/shop/1.0',
        `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${list}</e:Body></e:Envelope>`,
        'text/xml',
      )
      expect(await soap.text()).toContain(refusal)
      const fields = (...texts: string[]) =>
        post('/graphql/shop/1.0', JSON.stringify({ query: `{ ${texts.join(' ')} }` }))
      // Each list is below the limit, both together exceed it.
      const halves = await fields(
        'a: customerList(limit: 7) { records { email } }',
        'b: customerList(limit: 7, offset: 7) { records { email } }',
      )
      expect(await halves.text()).toContain(refusal)
      // Aliases repeat a small result.
      const aliases = Array.from({ length: 14 }, (_, at) => `e${at}: email`)
      const often = await fields(`customerList(limit: 1) { records { ${aliases.join(' ')} } }`)
      expect([often.status, JSON.parse(await often.text())]).toEqual([400, refused.body])
    }
    for (const check of casesOn(name, [overRest, overOthers])) await check()
    expect((await ask('&fields=name')).body).toMatchObject({ result: 'OK', total: 14 })
    // Repeats on new connections, since refused ones are closed.
    for (let count = 0; count < (isProving() ? 2 : 1); count += 1) expect(await ask('')).toEqual(refused)
    await instance.stop()
    await database.drop()
  },
)
