import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readArchive } from '@cadmus/formats/archive'
import { readPackages } from '@cadmus/formats/package/read'
import { adminGetOrganisationSummary } from '@cadmus/model/contract/admin-documents'
import { adminUpdateOrganisation } from '@cadmus/model/contract/admin-organisation'
import { listManifestLogs, listManifests } from '@cadmus/model/contract/manifest'
import {
  adminListPackages,
  deletePackage,
  downloadPackage,
  getBuildSettings,
  getPackageStatus,
  listPackages,
} from '@cadmus/model/contract/package'
import { holds } from '@cadmus/testing/holds'
import { collectGarbage } from '../jobs/job-recovery.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'
import { built, packageCalls, packageOf } from '../testing/packages.ts'
import { scriptOf } from '../testing/personal-tokens.ts'

describeOnBothStores.whenProving('A package', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())
  // Stays below the limit of fifty requests a second.
  beforeEach(() => server.advance(4000))

  const { manifestOf, build, buildIt, refusal, zipOf, configure } = packageCalls(() => designer)

  it('uses oracle for every variant of Oracle, configured or requested', holds('M3.41'), async () => {
    const { id, name: manifestName } = await manifestOf(['Customer'])
    const variants = ['oracle', 'ORACLE', 'Oracle8i', 'ORACLE_9i', 'oracle 10g', 'Oracle-11g', 'ORACLE12C', 'ORACLE19C']
    const kinds: (string | undefined)[] = []
    const typeOf = async (body: Parameters<typeof buildIt>[1]) => {
      const { packageId, version } = await buildIt(id, body)
      const [read] = readPackages((await zipOf(packageId, version)).bytes)
      kinds.push(read?.properties.get('database.type'))
    }
    for (const type of variants)
      await typeOf({ manifestProperties: [{ manifestName, packageProperties: { connectionPoolInfo: { type } } }] })
    for (const type of ['Oracle21c', 'ORACLE23AI']) {
      await configure(id, { packageProperties: { connectionPoolInfo: { type } } })
      await typeOf({})
    }
    expect(kinds).toEqual(Array(10).fill('oracle'))
    const packageProperties = { connectionPoolInfo: { type: 'oracular' } }
    expect(await refusal(id, { manifestProperties: [{ manifestName, packageProperties }] })).toMatchObject({
      status: 400,
    })
  })

  it('a package contains its password only on request, which is audited', async () => {
    const { id, name } = await manifestOf()
    const [password, key] = ['Tiger "ü" \\ #1', 'hush = hush']
    const packageProperties = {
      connectionPoolInfo: {
        type: 'ORACLE12C',
        url: 'jdbc:oracle:thin:@localhost:1521:db',
        databaseName: 'db',
        username: 'u',
        password,
      },
      customProperties: [
        { name: 'plain', value: 'seen', secret: false },
        { name: 'api.key', value: key, secret: true },
      ],
    }
    await configure(id, { packageProperties })
    const settings = await designer.call(getBuildSettings, { params: { id } })
    expect(JSON.stringify(settings)).not.toMatch(/Tiger|hush/)
    const [own] = settings.manifestProperties
    const { packageId } = await buildIt(id, { manifestProperties: own === undefined ? [] : [own] })
    const properties = async (include: 'true' | 'false') => {
      const { bytes } = await zipOf(packageId, '1.0.0', include)
      return readPackages(bytes)[0]?.properties ?? new Map()
    }
    const stored = await properties('false')
    expect(stored.get('database.type')).toBe('oracle')
    expect(stored.get('oracle.password')).toBe('${database.password}')
    expect(stored.get('plain')).toBe('seen')
    expect([...stored.values()].join()).not.toMatch(/Tiger|hush/)
    const open = await properties('true')
    expect([open.get('oracle.password'), open.get('api.key'), open.get('plain')]).toEqual([password, key, 'seen'])
    const { manifestLogs } = await designer.call(listManifestLogs, {})
    const reported = manifestLogs.filter(entry => entry.ENTITY_NAME === name).map(entry => entry.DESCRIPTION)
    expect(reported.slice(0, 3)).toEqual([
      `Downloaded package ${name} 1.0.0 with its password.`,
      `Built package ${name} 1.0.0 of manifest ${name}.`,
      `Started to build package ${name} 1.0.0 of manifest ${name}.`,
    ])
    // Without the flag, and without the value, a stored secret stays one.
    for (const sent of [{ name: 'api.key' }, { name: 'api.key', value: 'hush again' }]) {
      const manifestProperties = [{ manifestName: name, packageProperties: { customProperties: [sent] } }]
      const version = sent.value === undefined ? '1.1.0' : '1.2.0'
      const again = await buildIt(id, { manifestProperties, version, customPackageName: `${name}Secret` })
      const propertiesIn = async (include: 'true' | 'false') =>
        readPackages((await zipOf(again.packageId, version, include)).bytes)[0]?.properties.get('api.key')
      expect([await propertiesIn('false'), await propertiesIn('true')]).toEqual([
        stored.get('api.key'),
        sent.value ?? key,
      ])
    }
    const { script } = await scriptOf(designer, { access: 'read' })
    const input = { params: { id: packageId }, query: { version: '1.0.0', includePassword: 'true' as const } }
    expect((await script.refusal(downloadPackage, input)).answer).toMatchObject({ code: 'read_only' })
    expect((await script.send(downloadPackage, { ...input, query: { version: '1.0.0' } })).status).toBe(200)
    const acme = await organisationId(server)
    const rows = await server.context.store
      .of(acme)
      .selectFrom('package_version')
      .selectAll()
      .where('organisation_id', '=', acme)
      .execute()
    expect(JSON.stringify(rows)).not.toMatch(/Tiger|hush/)
    expect(server.log.join('\n')).not.toMatch(/Tiger|hush/)
  })

  it(
    'a package is listed as private or public, and by its manifest',
    holds('M3.42', 'M3.43', 'M3.45', 'M4.9', 'M7.62', 'M7.63', 'M7.64', 'M7.65'),
    async () => {
      const manifest = await manifestOf()
      const { packageId } = await buildIt(manifest.id)
      const { manifests } = await designer.call(listManifests, { query: { filter: 'DEFAULT' } })
      const core = manifests.find(({ entityCount }) => entityCount > 0)
      const { packageId: coreId } = await buildIt(core?.id ?? 0)
      const idsOf = async (query: object) => (await designer.call(listPackages, { query })).packages.map(({ id }) => id)
      expect(await idsOf({ filter: 'public' })).toEqual([coreId])
      expect((await packageOf(designer, coreId)).isDefault).toBe(true)
      const sent = await designer.browser.fetch('/1.0/cdm/packages', { headers: { 'x-organisation-code': 'ACME' } })
      const { packages: items }: { packages: Record<string, unknown>[] } = Object(await sent.json())
      expect(items.length).toBeGreaterThanOrEqual(2)
      const fields = ['id', 'userId', 'guid', 'manifestName', 'manifestPath', 'status', 'versions', 'isDefault']
      for (const item of items) expect(Object.keys(item)).toEqual(expect.arrayContaining(fields))
      expect(items.find(({ id }) => id === packageId)).toMatchObject({
        userId: designer.userId,
        guid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        manifestName: manifest.name,
        manifestPath: `user-defined/${manifest.name}`,
        status: 'SUCCESS',
        versions: ['1.0.0'],
        isDefault: false,
      })
      expect(items.find(({ id }) => id === coreId)).toMatchObject({ versions: ['1.0.0'], isDefault: true })
      const own = await idsOf({ filter: 'private' })
      expect(own).toContain(packageId)
      expect(own).not.toContain(coreId)
      expect(await idsOf({ manifestId: manifest.id })).toEqual([packageId])
      expect(await idsOf({ manifestName: manifest.name.toLowerCase() })).toEqual([packageId])
      const customPackageName = `named-otherwise-${store}`
      const { packageId: second } = await buildIt(manifest.id, { customPackageName })
      expect(new Set(await idsOf({ manifestId: manifest.id }))).toEqual(new Set([packageId, second]))
      expect(new Set(await idsOf({ manifestName: manifest.name }))).toEqual(new Set([packageId, second]))
      expect(await idsOf({ manifestName: customPackageName })).toEqual([])
      expect(await idsOf({ manifestName: manifest.name.slice(0, -1) })).not.toContain(packageId)
      const all = await designer.call(listPackages, {})
      expect(all.packages.map(({ name }) => name)).toEqual(
        all.packages.map(({ name }) => name).toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
      )
      const first = await designer.call(listPackages, { query: { limit: 1 } })
      expect([first.totalElements, first.packages]).toEqual([all.totalElements, all.packages.slice(0, 1)])
      expect(await idsOf({ limit: 1, after: first.next })).toEqual(all.packages.slice(1, 2).map(({ id }) => id))
      for (const query of [{ filter: 'all' }, { filter: 'PRIVATE' }, { manifestId: 0 }, { limit: 0 }, { after: '??' }])
        expect((await designer.send(listPackages, { query })).status).toBe(400)
      for (const packageIds of ['', 'x', '1,', '1;2', '-1', '1'.repeat(16)])
        expect((await designer.send(getPackageStatus, { query: { packageIds } })).status).toBe(400)
      const { packages } = await designer.call(getPackageStatus, {
        query: { packageIds: `${coreId},${packageId},987654321` },
      })
      expect(packages).toEqual([coreId, packageId].map(id => ({ id, status: 'SUCCESS', reason: '' })))
    },
  )

  it(
    'a package has a zip per version, and is deleted with its last one',
    holds('M7.66', 'M7.68', 'M8.62'),
    async () => {
      const { id, name } = await manifestOf()
      const { packageId } = await buildIt(id)
      await buildIt(id)
      for (const version of ['1.0.0', '1.0.1']) {
        const { bytes, headers } = await zipOf(packageId, version)
        expect(headers.get('content-type')).toBe('application/zip')
        const xml = Buffer.from(readArchive(bytes).get(`${name}/conf/package.xml`) ?? []).toString()
        expect(xml).toContain(`version="${version}"`)
      }
      const remove = (version: string) =>
        designer.call(deletePackage, { params: { id: packageId }, query: { version } })
      expect(await remove('1.0.0')).toEqual({ result: 'OK', message: 'Successfully deleted a package' })
      expect((await packageOf(designer, packageId)).versions).toEqual(['1.0.1'])
      await collectGarbage(server.context, 0)
      await collectGarbage(server.context, 0)
      expect((await zipOf(packageId, '1.0.1')).bytes.length).toBeGreaterThan(0)
      const removed = { params: { id: packageId }, query: { version: '1.0.0' } }
      expect((await designer.refusal(deletePackage, removed)).status).toBe(404)
      expect((await designer.refusal(downloadPackage, removed)).status).toBe(404)
      await remove('1.0.1')
      expect((await designer.call(listPackages, { query: { manifestId: id } })).packages).toEqual([])
      expect(await buildIt(id)).toMatchObject({ version: '1.0.0' })
    },
  )

  it('a package is counted in its organisation and shown to administrators', holds('M7.94'), async () => {
    const admin = await server.as('admin')
    const acme = { code: 'ACME' }
    const { id } = await manifestOf()
    const { organisation: before } = await admin.call(adminGetOrganisationSummary, { params: acme })
    const { packageId } = await buildIt(id)
    await buildIt(id)
    const { organisation, history } = await admin.call(adminGetOrganisationSummary, {
      params: acme,
      query: { days: 2 },
    })
    expect(organisation.totalPackages).toBe(before.totalPackages + 1)
    expect(history.map(({ packages }) => packages)).toEqual([0, organisation.totalPackages])
    const { packageId: elsewhere } = await build((await manifestOf(['Customer'], admin)).id, {}, admin)
    await built(admin, elsewhere)
    const headers = { 'x-organisation-code': 'CADMUS' }
    const answer = await admin.browser.fetch('/1.0/cdm/admin/org/ACME/packages', { headers })
    const { packages } = adminListPackages.answer.parse(await answer.json())
    expect(packages).toEqual((await designer.call(listPackages, {})).packages)
    expect(packages).toContainEqual(await packageOf(designer, packageId))
    const others = await admin.call(adminListPackages, { params: { code: 'CADMUS' }, query: { filter: 'private' } })
    expect(others.packages.map(({ id: one }) => one)).toEqual([elsewhere])
    expect((await admin.refusal(adminListPackages, { params: { code: 'NOWHERE' } })).status).toBe(404)
    expect((await designer.refusal(adminListPackages, { params: acme })).status).toBe(403)
  })

  it('a package contains only licensed features', async () => {
    const admin = await server.as('admin')
    const license = (body: object) =>
      admin.call(adminUpdateOrganisation, { params: { code: 'ACME' }, body, ifMatch: '*' })
    const { id } = await manifestOf()
    await configure(id, { configurationBuild: { apiConfiguration: { type: ['REST'] } } })
    await license({ licence: { rest: false } })
    expect(await refusal(id)).toMatchObject({
      status: 400,
      message: 'The licence of the organisation does not include REST: it allows SOAP, GraphQL.',
    })
    await license({ licence: { rest: true, databaseTypes: ['postgresql'] } })
    expect(await refusal(id)).toMatchObject({
      status: 403,
      code: 'licence',
      message: 'The licence of the organisation does not include MySQL: it allows PostgreSQL.',
    })
    const { id: unsaved } = await manifestOf()
    const { manifestProperties } = await designer.call(getBuildSettings, { params: { id: unsaved } })
    expect(manifestProperties[0]?.packageProperties.connectionPoolInfo.type).toBe('POSTGRESQL')
    await buildIt(unsaved)
    await license({ licence: { databaseTypes: ['mysql', 'hsql', 'oracle', 'postgresql', 'mssql'] } })
    await buildIt(id)
  })
})
