import {
  addRelationship,
  createEntity,
  exportEntity,
  getEntity,
  importEntity,
  listEntityLogs,
  updateEntity,
} from '@cadmus/model/contract/entity'
import {
  createManifestByWizard,
  getManifest,
  getManifestConfiguration,
  listManifestLogs,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import { exportManifest } from '@cadmus/model/contract/manifest-transfer'
import { readConfiguration } from '@cadmus/model/configuration'
import { hasHidden } from '@cadmus/model/display'
import { isProving } from '@cadmus/testing/proof'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type StoreKind, type TestConsole } from '../testing/console.ts'
import { addManifest, aRelationship, saveBody } from '../testing/entities.ts'
import { expectRejection, isHealthy } from '../testing/rejections.ts'

/** Texts that often break parsers, stores and pages. Free-text fields must return each unchanged. */
const texts = [
  "'); drop table entity; --",
  '"; select pg_sleep(10); --',
  '\u0000',
  'a\u0000b\u0001\u001f\u007f',
  '\ud800',
  'x\udfffy',
  '🙂👩‍👩‍👧‍👦🏳️‍🌈',
  '\u202eabc\u202c\u2066x\u2069',
  '\u2028\u2029\u0085',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '{{7*7}}${7*7}#{7*7}%{7*7}',
  '%s%n%x%00%0a',
  '../../../etc/passwd',
  'Z̸̢̛a̴l̷g̶o̵',
  '__proto__',
  'null',
  '-1e309',
  '\\',
  '\r\nSet-Cookie: a=b\r\n',
  'x'.repeat(20_000),
]

/** All texts on SQLite and in full proofs; otherwise only those that PostgreSQL may treat differently. */
const textsOn = (store: StoreKind) =>
  store === 'sqlite' || isProving()
    ? texts
    : texts.filter(text => !text.isWellFormed() || special.some(part => text.includes(part)))
const special = ["'", '"', '\\', '\u0000']

describeOnBothStores('Unusual texts', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())
  beforeEach(() => server.advance(4000))

  let made = 0
  const name = (what: string) => `${what}${++made}`

  it.each(textsOn(store))(
    'unusual texts in descriptions, choices and defaults are returned unchanged: %j',
    async text => {
      // A choice is the name of a value: invisible characters in it are rejected.
      const hidden = [`[${text.slice(0, 3000)}]`, 'other']
      const choices = hasHidden(text) ? ['plain', 'other'] : hidden
      const refused = await designer.send(createEntity, {
        body: { entity: { name: name('Hidden'), typeAttributes: [{ name: 'code', choices: hidden }] } },
      })
      expect(refused.status).toBe(hasHidden(text) ? 400 : 200)
      const typeAttributes = [{ name: 'code', description: text, choices, defaultValue: 'other' }]
      const body = { entity: { name: name('Text'), description: text, typeAttributes } }
      const { entity } = await designer.call(createEntity, { body })
      const again = await designer.call(getEntity, { params: { id: entity.id } })
      const attribute = again.entity.typeAttributes.find(item => item.name === 'code')
      expect([again.entity.description, attribute?.description, attribute?.choices]).toEqual([text, text, choices])
      const saved = saveBody(again.entity, { description: `${text.slice(0, 1000)}!` })
      await designer.call(updateEntity, { params: { id: entity.id }, body: saved, ifMatch: '*' })
      const { entityLogs } = await designer.call(listEntityLogs, { query: { limit: 1 } })
      expect(JSON.parse(entityLogs[0]?.ORIGINAL_CONTENT ?? '{}')).toMatchObject({ description: text })

      const { entityDoc } = await designer.call(exportEntity, { params: { id: entity.id } })
      const bytes = new TextEncoder().encode(JSON.stringify(entityDoc))
      const files = { entityFile: { name: `${text.slice(0, 20).replaceAll(/[\r\n"]/g, '')}.json`, bytes } }
      const targetManifest = await addManifest(server, name('Home'))
      const { entity: copy } = await designer.call(importEntity, { query: { targetManifest }, files })
      expect(copy.typeAttributes.find(item => item.name === 'code')?.choices).toEqual(choices)
    },
  )

  it.each(textsOn(store))(
    'unusual texts are kept in a manifest, its configuration and its exported script: %j',
    async text => {
      const target = (await designer.call(createEntity, { body: { entity: { name: name('Target') } } })).entity
      const source = (
        await designer.call(createEntity, { body: { entity: { name: name('Source'), description: text } } })
      ).entity
      const relationship = {
        ...aRelationship(target, 'targetId'),
        description: text,
        traitReference: text.slice(0, 400),
      }
      const { entityAttribute } = await designer.call(addRelationship, {
        params: { id: source.id },
        body: relationship,
        ifMatch: '*',
      })
      expect(entityAttribute.description).toBe(text)

      const body = { manifestName: name('Manifest'), description: text, entities: [source.id, target.id] }
      const { manifest } = await designer.call(createManifestByWizard, {
        body: { ...body, importsPath: [text.slice(0, 4000)] },
      })
      const params = { id: manifest.id }
      expect((await designer.call(getManifest, { params })).manifest.description).toBe(text)

      const given = await designer.call(getManifestConfiguration, { params })
      const configuration = readConfiguration(given.manifestProperties)
      configuration.packageProperties.connectionPoolInfo.databaseName = text.slice(0, 4000)
      configuration.packageProperties.customProperties = [
        { name: hasHidden(text) ? 'plain' : text.slice(0, 4000), value: 'Secret-4711'.padEnd(4000, '-'), secret: true },
      ]
      await designer.call(saveManifestConfiguration, { params, body: configuration, ifMatch: '*' })
      const read = readConfiguration((await designer.call(getManifestConfiguration, { params })).manifestProperties)
      expect(read.packageProperties.connectionPoolInfo.databaseName).toBe(text.slice(0, 4000))
      const logs = await designer.call(listManifestLogs, { query: { limit: 5 } })
      expect(JSON.stringify(logs)).not.toContain('Secret-4711')

      const exported = await designer.send(exportManifest, { params, body: { databaseType: 'postgresql' } })
      if (!exported.ok) await expectRejection(exported)
      expect(exported.ok).toBe(true)
      expect(await isHealthy(server)).toBe(true)
      server.advance(5000)
    },
  )

  it('names that a database treats as equal can be in one file', async () => {
    const marks = ['first', 'second', 'third', 'fourth']
    const typeAttributes = marks.map(mark => ({ name: mark }))
    const { entity } = await designer.call(createEntity, { body: { entity: { name: name('Marked'), typeAttributes } } })
    const { entityDoc } = await designer.call(exportEntity, { params: { id: entity.id } })
    const names = ['a\ud800', 'a\udc00', 'a\u0000', 'a\ufffd']
    const text = marks.reduce(
      (doc, mark, index) => doc.replaceAll(JSON.stringify(mark), JSON.stringify(names[index])),
      JSON.stringify(entityDoc),
    )
    const targetManifest = await addManifest(server, name('Home'))
    const files = { entityFile: { name: 'x.json', bytes: new TextEncoder().encode(text) } }
    const { entity: copy } = await designer.call(importEntity, { query: { targetManifest }, files })
    expect(copy.typeAttributes.map(item => item.name)).toEqual(['id', ...names])
  })
})
