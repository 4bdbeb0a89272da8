import { expect, it } from 'vitest'
import { casesOn, propertiesOf, testDatabases } from '../testing/databases.ts'
import { startTestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'

const refusal = 'More than 64 MB would be answered at once. Ask for fewer records, or for fewer fields of them.'

it.each(testDatabases)(
  'A list on $name that is larger than can be held is refused with a sentence, whatever the protocol, and ends nothing',
  async ({ name, present, create }) => {
    if (!present) return
    const database = await create()
    const instance = await startTestInstance()
    await instance.upload(packageZip({ properties: propertiesOf(database.settings) }))
    await instance.settled('shop')
    const post = (path: string, body: string, type = 'application/json') =>
      instance.fetch(path, { method: 'POST', headers: { 'content-type': type }, body })
    const record = JSON.stringify({ name: 'Ada', email: 'x'.repeat(5_000_000) })
    for (let count = 0; count < 14; count += 1) {
      const answer = await post('/api/shop/1.0/customer', record)
      // Read, as an unread answer would count.
      await answer.arrayBuffer()
      expect(answer.status).toBe(200)
    }
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
      // Each of them is less, all of the request are more.
      const halves = await fields(
        'a: customerList(limit: 7) { records { email } }',
        'b: customerList(limit: 7, offset: 7) { records { email } }',
      )
      expect(await halves.text()).toContain(refusal)
      // Little of the database, and much of the answer.
      const aliases = Array.from({ length: 14 }, (_, at) => `e${at}: email`)
      const often = await fields(`customerList(limit: 1) { records { ${aliases.join(' ')} } }`)
      expect([often.status, JSON.parse(await often.text())]).toEqual([400, refused.body])
    }
    for (const check of casesOn(name, [overRest, overOthers])) await check()
    expect((await ask('&fields=name')).body).toMatchObject({ result: 'OK', total: 14 })
    // Once more, on connections that take the place of those that were given up.
    for (let count = 0; count < 2; count += 1) expect(await ask('')).toEqual(refused)
    await instance.stop()
    await database.drop()
  },
  120_000,
)
