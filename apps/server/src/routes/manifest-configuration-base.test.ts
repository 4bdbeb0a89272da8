import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Configuration, readConfiguration } from '@cadmus/model/configuration'
import {
  createManifest,
  createManifestByWizard,
  getManifestConfiguration,
  saveManifestConfiguration,
  updateManifest,
} from '@cadmus/model/contract/manifest'
import { configurationOf } from '../store/manifest-configuration.ts'
import { manifestById } from '../store/manifest.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'

describeOnBothStores.whenProving('The base of a configuration save', store => {
  let server: TestConsole
  let dan: ConsoleClient
  let ada: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    dan = await server.as('designer')
    ada = await server.as('admin', 'ACME')
  })
  afterAll(() => server.stop())

  let count = 0
  const made = async () => (await dan.call(createManifest, { body: { manifestName: `Based${++count}` } })).manifest.id
  const read = async (id: number, client = dan) => {
    const { answer, etag } = await client.callWithTag(getManifestConfiguration, { params: { id } })
    return { configuration: readConfiguration(answer.manifestProperties), etag }
  }
  const save = async (client: ConsoleClient, id: number, body: Configuration, ifMatch: string) => {
    const input = { params: { id }, body, ifMatch }
    return (await client.callWithTag(saveManifestConfiguration, input)).etag
  }
  const refused = async (id: number, body: Configuration, ifMatch: string) =>
    dan.refusal(saveManifestConfiguration, { params: { id }, body, ifMatch })
  const connected = (configuration: Configuration, connection: object): Configuration => {
    const { packageProperties } = configuration
    const connectionPoolInfo = { ...packageProperties.connectionPoolInfo, ...connection }
    return { ...configuration, packageProperties: { ...packageProperties, connectionPoolInfo } }
  }

  it('rejects states of another manifest or organisation, whose secrets it would copy', async () => {
    const [own, other] = [await made(), await made()]
    const mine = await read(own)
    const first = await save(dan, own, connected(mine.configuration, { username: 'own' }), mine.etag)
    const others = await read(other)
    const theirs = await save(dan, other, connected(others.configuration, { password: 'Tiger-9213' }), others.etag)
    const globex = server.bootstrap('GLOBEX')
    const { manifest } = await globex.call(createManifest, { body: { manifestName: 'Abroad' } })
    const otherOrganisation = await read(manifest.id, globex)
    const foreign = await save(
      globex,
      manifest.id,
      connected(otherOrganisation.configuration, { url: 'abroad' }),
      otherOrganisation.etag,
    )
    const before = await read(own)
    for (const ifMatch of [theirs, foreign, 'a'.repeat(64), 'version 1.0.0']) {
      const { status, answer } = await refused(own, connected(before.configuration, { password: '********' }), ifMatch)
      expect([status, answer.code, answer.message]).toEqual([
        409,
        'conflict',
        'The base of this save is unknown. Reload the configuration.',
      ])
    }
    expect(await read(own)).toEqual(before)
    // Any earlier state of the manifest is valid, including the defaults.
    await save(dan, own, connected(before.configuration, { url: 'later' }), first)
    await save(dan, own, connected(mine.configuration, { databaseName: 'late' }), mine.etag)
    expect((await read(own)).configuration.packageProperties.connectionPoolInfo).toMatchObject({
      username: 'own',
      url: 'later',
      databaseName: 'late',
    })
  })

  it('rejects the defaults if the manifest never had them', async () => {
    const untouched = await read(await made())
    const manifestProperties = connected(untouched.configuration, { url: 'first' })
    const body = { manifestName: `Based${++count}`, manifestProperties }
    const { manifest } = await dan.call(createManifestByWizard, { body })
    const own = await read(manifest.id)
    expect(own.etag).not.toBe(untouched.etag)
    const { status, answer } = await refused(manifest.id, own.configuration, untouched.etag)
    expect([status, answer.message]).toEqual([409, 'The base of this save is unknown. Reload the configuration.'])
  })

  it('names the last author of the conflicting field, ignoring later saves and renames', async () => {
    const id = await made()
    const base = await read(id)
    const first = await save(
      dan,
      id,
      connected(base.configuration, { url: 'theirs', password: 'Lion-4711' }),
      base.etag,
    )
    await save(ada, id, connected((await read(id)).configuration, { username: 'hers' }), first)
    await ada.call(updateManifest, { params: { id }, body: { manifestName: `Based${++count}` }, ifMatch: '*' })
    const requested = connected(base.configuration, { url: 'mine', username: 'mine', password: 'Bear-1234' })
    const { status, answer } = await refused(id, requested, base.etag)
    expect(status).toBe(409)
    expect(answer.conflicts?.map(({ field, who, theirs }) => [field, who, theirs]).toSorted()).toEqual([
      ['password', 'Dan Designer', null],
      ['url', 'Dan Designer', 'theirs'],
      ['username', 'Ada Admin', 'hers'],
    ])
    const [urls, names] = ['url', 'username'].map(field => answer.conflicts?.find(item => item.field === field)?.when)
    expect(Date.parse(urls ?? '')).toBeLessThan(Date.parse(names ?? ''))
    expect(JSON.stringify(answer)).not.toMatch(/Lion-4711|Bear-1234|v1\./)
  })

  it('names the organisation of an author from another organisation', async () => {
    const id = await made()
    const base = await read(id)
    const etag = await save(dan, id, connected(base.configuration, { url: 'elsewhere' }), base.etag)
    await save(ada, id, connected(base.configuration, { url: 'elsewhere', username: 'hers' }), etag)
    const mine = connected(base.configuration, { url: 'here', username: 'mine' })
    const { answer } = await refused(id, mine, base.etag)
    expect(answer.conflicts?.map(({ field, own }) => [field, own])).toEqual([
      ['url', true],
      ['username', undefined],
    ])
  })

  it('only log entries newer than the base are read, and none for an unknown base', async () => {
    const id = await made()
    const first = await read(id)
    let etag = first.etag
    for (const url of ['a', 'b', 'c']) etag = await save(dan, id, connected(first.configuration, { url }), etag)
    const base = await read(id)
    await save(ada, id, connected(base.configuration, { url: 'theirs', username: 'hers' }), base.etag)
    const acme = await organisationId(server)
    const db = server.context.store.of(acme)
    const entries = db.selectFrom('audit_entry').select('sequence').where('organisation_id', '=', acme)
    const ofThis = entries.where('target_id', '=', id).orderBy('sequence', 'desc')
    const [newest] = await ofThis.execute()
    // Reading one of these entries fails.
    const older = db.updateTable('audit_entry').set({ restoration: 'unreadable' }).where('organisation_id', '=', acme)
    await older
      .where('target_id', '=', id)
      .where('sequence', '<', newest?.sequence ?? 0)
      .execute()
    const stale = await refused(id, connected(base.configuration, { url: 'mine' }), base.etag)
    expect(stale.status).toBe(409)
    expect(stale.answer.conflicts).toEqual([expect.objectContaining({ field: 'url', who: 'Ada Admin' })])
    for (const ifMatch of ['none', 'b'.repeat(64)]) {
      const unknown = await refused(id, connected(base.configuration, { url: 'mine' }), ifMatch)
      expect([unknown.status, unknown.answer.message]).toEqual([
        409,
        'The base of this save is unknown. Reload the configuration.',
      ])
    }
    await save(dan, id, connected(base.configuration, { databaseName: 'merged' }), base.etag)
    expect((await read(id)).configuration.packageProperties.connectionPoolInfo).toMatchObject({
      url: 'theirs',
      databaseName: 'merged',
    })
  })

  it('determines the secret of a placeholder', async () => {
    const id = await made()
    const base = await read(id)
    const withProperty = (value: string): Configuration => {
      const { packageProperties } = base.configuration
      const customProperties = [{ name: 'apiKey', value, secret: true }]
      return { ...base.configuration, packageProperties: { ...packageProperties, customProperties } }
    }
    const first = await save(dan, id, withProperty('Lion-4711'), base.etag)
    await save(ada, id, withProperty('Bear-1234'), first)
    // An untouched placeholder is not a change, even with an older base.
    await save(dan, id, connected(withProperty('********'), { url: 'mine' }), first)
    const acme = await organisationId(server)
    const db = server.context.store.of(acme)
    const manifest = await manifestById(db, acme, id)
    const { packageProperties } = (await configurationOf(db, manifest!)).configuration
    expect(packageProperties.connectionPoolInfo.url).toBe('mine')
    expect(server.context.secrets.decrypt(packageProperties.customProperties[0]?.value ?? '')).toBe('Bear-1234')
  })
})
