import { writeArchive } from '@cadmus/formats/archive'
import { packageModelForm } from '@cadmus/model/api/package-model'
import { readStored } from '@cadmus/model/stored/stored-form'
import { aTypeAttribute } from '@cadmus/model/testing/builders'
import { expect, it } from 'vitest'
import { propertiesOf, testDatabases } from '../testing/databases.ts'
import { startTestInstance } from '../testing/instance.ts'
import { packageFiles } from '../testing/package-zip.ts'

const databases = testDatabases.filter(({ name, present }) => present && ['SQLite', 'PostgreSQL'].includes(name))

it.each(databases)('entities and groups may have the names of internal tables on $name', async ({ create }) => {
  const database = await create()
  const { settings } = database
  const properties = settings.dialect === 'sqlite' ? {} : { properties: propertiesOf(settings) }
  const instance = await startTestInstance()
  for (const [version, more] of [
    ['1.0.0', []],
    ['1.1.0', [aTypeAttribute({ name: 'remark', nullable: true, position: 90 })]],
  ] as const) {
    const files = packageFiles({ version, ...properties })
    const path = 'shop/resources/cadmus/model.json'
    const model = readStored(packageModelForm, JSON.parse(files.get(path) ?? ''))
    const names = new Map([
      ['Customer', 'cadmus_package'],
      ['Order', 'cadmus_aside_0'],
      ['Item', settings.dialect === 'sqlite' ? 'sqlite_stat1' : 'pk_cadmus_package'],
    ])
    const text = JSON.stringify({
      ...model,
      entities: model.entities.map(entity => ({
        ...entity,
        typeAttributes: [...entity.typeAttributes, ...more],
        groups:
          entity.name === 'Customer' ? [aGroup('unique', 'cadmus_package'), aGroup('index', 'cadmus_aside_1')] : [],
      })),
    }).replace(/"name":"(Customer|Order|Item)"/g, (_whole, name: string) => `"name":"${names.get(name)}"`)
    await instance.upload(writeArchive(new Map([...files, [path, text] as const])))
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', version })
    const headers = { 'content-type': 'application/json' }
    const made = await instance.fetch('/api/shop/1.0/cadmus_package', {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: version }),
    })
    expect(made.status).toBe(200)
  }
  const stored = await (await instance.fetch('/api/shop/1.0/cadmus_package?sort=name&fields=name')).json()
  expect(stored).toMatchObject({ cadmus_package: [{ name: '1.0.0' }, { name: '1.1.0' }] })
  await instance.stop()
  await database.drop()
})

function aGroup(kind: 'unique' | 'index', name: string) {
  return {
    uid: name,
    kind,
    name,
    members: ['name', 'level'].map(member => ({ uid: '', name: member, descending: false })),
  }
}
