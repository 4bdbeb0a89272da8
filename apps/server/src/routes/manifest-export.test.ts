import { afterAll, beforeAll, expect, it } from 'vitest'
import { readArchive } from '@cadmus/formats/archive'
import { createEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { addManifestVersion, createManifest, saveManifestConfiguration } from '@cadmus/model/contract/manifest'
import { exportManifest, notesHeader, previewExport, validateManifest } from '@cadmus/model/contract/manifest-transfer'
import { exportFormatOf, exportTypes } from '@cadmus/model/export-formats'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

describeOnBothStores.whenProving('Validation and export of a manifest', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  let count = 0
  async function made(exclusiveEntities: string[] = ['Head']) {
    const body = { manifestName: `Exported${++count}`, exclusiveEntities }
    return (await designer.call(createManifest, { body })).manifest
  }

  async function requireExport(id: number, input: object = {}) {
    const body = { databaseType: 'postgresql', ...input }
    const { bytes, fileName, headers } = await designer.download(exportManifest, { params: { id }, body })
    const files = readArchive(bytes)
    const [path = ''] = files.keys()
    return {
      fileName,
      path,
      sql: Buffer.from(files.get(path) ?? '').toString(),
      bytes,
      notes: headers.get(notesHeader),
      contentType: headers.get('content-type'),
    }
  }

  it(
    'validation and export accept a valid manifest; for a manifest without entities, validation reports a problem and export answers 400',
    holds('M7.34', 'M7.35'),
    async () => {
      const sound = await made()
      expect((await designer.call(validateManifest, { params: { id: sound.id } })).problems).toEqual([])
      const { id, uid, name } = await made([])
      const validated = await designer.call(validateManifest, { params: { id } })
      expect(validated.message).toBe(`${name} has no entity.`)
      expect(validated.problems).toEqual([
        {
          severity: 'error',
          code: 'noEntity',
          message: validated.message,
          path: [{ kind: 'manifest', id, uid, name }],
        },
      ])
      const { status, answer } = await designer.refusal(exportManifest, { params: { id }, body: {} })
      expect([status, answer.code]).toEqual([400, 'invalid_manifest'])
      expect(answer).toMatchObject({ message: validated.message, problems: validated.problems })
      expect(answer.errors).toEqual([{ path: name, message: answer.message }])
    },
  )

  it('Decisions §10 every problem is reported at once, errors before warnings, each with id and uid of its object', async () => {
    const target = (await made(['Aim'])).entityPaths[0]
    const manifest = await made([])
    const attributes = ['one', 'two'].map(name => ({ name, isNullable: true, defaultValue: 'x' }))
    const relationship = {
      associatedEntityId: target?.id ?? 0,
      associatedEntityTypeAttribute: 'id',
      foreignKeyAttribute: { typeAttributeName: 'aimId' },
    }
    const body = {
      name: 'Scoped',
      typeAttributes: [{ name: 'id', dataType: 'integer' as const, purpose: 'identifiedBy' as const }, ...attributes],
      entityAttributes: [relationship],
      operationScopes: { selectOperationScopes: ['nobody', 'nowhere'] },
    }
    const { entity } = await designer.call(createEntity, { body: { entity: body, targetManifestId: manifest.id } })
    const { message, problems } = await designer.call(validateManifest, { params: { id: manifest.id } })
    expect(problems.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
      'error scope',
      'error scope',
      'warning external',
    ])
    expect(message).toBe(problems[0]?.message)
    const { id, uid, name, path } = entity
    expect(problems[0]?.path.at(-1)).toEqual({ kind: 'entity', id, uid, name, path })
    const key = entity.entityAttributes[0]
    expect(problems[2]?.path.at(-1)).toEqual({ kind: 'entityAttribute', uid: key?.uid, name: 'aimId' })
    // Scopes belong to an API; a schema has none.
    const query = { exportType: 'DB_STRUCTURE' as const }
    const ofSchema = await designer.call(validateManifest, { params: { id: manifest.id }, query })
    expect([ofSchema.message, ofSchema.problems]).toEqual(['', problems.slice(2)])
    expect((await requireExport(manifest.id)).sql).toContain('"aimId"')
  })

  it('Decisions §3 warnings are part of the answer, such as a relationship that leaves the manifest', async () => {
    const target = (await made(['Target'])).entityPaths[0]
    const manifest = await made([])
    const relationship = {
      associatedEntityId: target?.id ?? 0,
      associatedEntityTypeAttribute: 'id',
      foreignKeyAttribute: { typeAttributeName: 'targetId' },
    }
    const entity = { name: 'Pointer', entityAttributes: [relationship] }
    await designer.call(createEntity, { body: { entity, targetManifestId: manifest.id } })
    const { problems } = await designer.call(validateManifest, { params: { id: manifest.id } })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ severity: 'warning', path: [{ name: manifest.name }, { name: 'Pointer' }, {}] })
    const { sql } = await requireExport(manifest.id)
    expect(sql).toContain('"targetId"')
    expect(sql).not.toMatch(/foreign key/i)
  })

  it('Decisions §10 changes and omissions of an export are reported by validate, in a header, and at the end of the script', async () => {
    const manifest = await made([])
    const entity = { name: 'Coded', typeAttributes: [{ name: 'code', maxLength: 2000, unique: true }] }
    await designer.call(createEntity, { body: { entity, targetManifestId: manifest.id } })
    const { problems } = await designer.call(validateManifest, { params: { id: manifest.id } })
    const shortened = problems.filter(({ code }) => code === 'keyShortened')
    expect(shortened.flatMap(({ databases }) => databases).toSorted()).toEqual([
      'mssql',
      'mysql',
      'oracle',
      'postgresql',
    ])
    expect(shortened[0]).toMatchObject({
      severity: 'warning',
      path: [{ name: manifest.name }, { name: 'Coded' }, { kind: 'typeAttribute', uid: expect.any(String) }],
    })
    const { sql, notes } = await requireExport(manifest.id, { databaseType: 'mysql' })
    expect(notes).toBe('2')
    expect(sql).toMatch(
      /-- Coded\.code: 'code' is part of a key: it takes at most 768 characters on this database\.\n-- A server that is not in strict mode .*\n$/,
    )
    expect(await requireExport(manifest.id, { databaseType: 'hsql' })).toMatchObject({ notes: '1' })
  })

  it('preview the same script as the zip, with the same rejections', async () => {
    const { id } = await made()
    for (const input of [{}, { databaseType: 'oracle' as const, applyAutoIncrement: false }, { version: '1.0.0' }]) {
      const body = { databaseType: 'postgresql' as const, ...input }
      const { script, notes } = await designer.call(previewExport, { params: { id }, body })
      const zip = await requireExport(id, body)
      expect({ script, notes: String(notes) }).toEqual({ script: zip.sql, notes: zip.notes })
    }
    const empty = { params: { id: (await made([])).id }, body: {} }
    const refused = await designer.refusal(previewExport, empty)
    expect(refused.answer).toEqual((await designer.refusal(exportManifest, empty)).answer)
    expect(refused.answer.code).toBe('invalid_manifest')
    const removed = { params: { id }, body: { version: '7.7.7' } }
    expect((await designer.refusal(previewExport, removed)).status).toBe(404)
  })

  it('apply the options of the configuration, which a request overrides one by one', async () => {
    const { id, name } = await made(['OnlineHead'])
    const change = { configurationBuild: { sqlExport: { naming: 'snake', tablePrefix: 'web_' } } } as const
    await designer.call(saveManifestConfiguration, { params: { id }, body: change, ifMatch: '*' })
    const { sql } = await requireExport(id)
    expect(sql).toContain(`${name} for PostgreSQL\n-- Options: naming snake, tablePrefix web_\n`)
    expect(sql).toContain('CREATE TABLE "web_online_head"')
    const plain = await requireExport(id, { sqlExport: { naming: 'asIs', schema: 'shop' } })
    expect(plain.sql).toContain('CREATE TABLE "shop"."web_OnlineHead"')
    const files = await designer.download(exportManifest, {
      params: { id },
      body: { databaseType: 'postgresql', sqlExport: { files: 'perTable', exists: 'drop', text: '120' } },
    })
    expect([...readArchive(files.bytes).keys()]).toEqual(['001_drop.sql', '002_web_online_head.sql'])
    for (const sqlExport of [
      { schema: 'a"; DROP TABLE b; --' },
      { naming: 'camel' },
      { unknown: 'on' },
      { text: '0' },
      { text: '10000001' },
      { text: '5); DROP TABLE b; --' },
    ]) {
      const refused = await designer.send(previewExport, { params: { id }, body: { sqlExport } })
      expect(refused.status).toBe(400)
    }
  })

  it(
    'name the zip after manifest and database, with one script inside',
    holds('M7.36', 'M7.37', 'M7.38', 'M7.39', 'M7.40'),
    async () => {
      const { id, name } = await made()
      const postgresql = await requireExport(id)
      expect([postgresql.fileName, postgresql.path]).toEqual([`${name}-postgresql.zip`, `${name}.sql`])
      expect(postgresql.contentType).toBe('application/zip')
      expect(postgresql.sql).toMatch(/create table "Head"/i)
      expect(postgresql.sql).toMatch(/identity/i)
      expect((await requireExport(id, { applyAutoIncrement: false })).sql).not.toMatch(/identity/i)
      const mysql = await requireExport(id, { databaseType: 'MYSQL' })
      expect(mysql.fileName).toBe(`${name}-mysql.zip`)
      expect(mysql.sql).toMatch(/create table `Head`/i)
      expect((await requireExport(id, { databaseType: 'PSQL' })).fileName).toBe(`${name}-postgresql.zip`)
      expect((await requireExport(id)).bytes).toEqual(postgresql.bytes)
      const word = await designer.send(exportManifest, { params: { id }, body: { exportType: 'POEM' } })
      expect(word.status).toBe(400)
    },
  )

  it(
    'validation and export of a manifest accept only licensed and known databases',
    holds('M3.38', 'M3.39', 'M3.62'),
    async () => {
      const { id } = await made()
      const { shared } = console.context.store
      const set = (licence_limits: string) =>
        shared.updateTable('organisation').set({ licence_limits }).where('code', '=', 'ACME').execute()
      await set('mc=50|db=mysql~db2~hsql')
      const body = { databaseType: 'postgresql' }
      const { status, answer } = await designer.refusal(exportManifest, { params: { id }, body })
      expect([status, answer.message]).toEqual([
        403,
        'The licence of the organisation does not include PostgreSQL: it allows MySQL, HSQL.',
      ])
      expect((await requireExport(id, { databaseType: 'mysql' })).sql).toMatch(/create table/i)
      const unknown = await designer.refusal(exportManifest, { params: { id }, body: { databaseType: 'db2' } })
      expect(unknown.status).toBe(400)
      await set('mc=50|db=mysql~hsql~oracle~postgresql~mssql')
    },
  )

  it('use the first licensed database by default', holds('M9.12', 'M7.37'), async () => {
    const { id } = await made()
    const { shared } = console.context.store
    const set = (licence_limits: string) =>
      shared.updateTable('organisation').set({ licence_limits }).where('code', '=', 'ACME').execute()
    for (const [databases, first] of [
      ['oracle~mysql', 'oracle'],
      ['postgresql~mysql', 'postgresql'],
    ]) {
      await set(`mc=50|db=${databases}`)
      const { fileName } = await designer.download(exportManifest, { params: { id }, body: {} })
      expect(fileName).toMatch(new RegExp(`-${first}\\.zip$`))
    }
    await set('mc=50|db=')
    const { status, answer } = await designer.refusal(exportManifest, { params: { id }, body: {} })
    expect(status).toBe(403)
    expect(answer.message).toBe('The licence of the organisation does not include a database: it allows no database.')
    await set('mc=50|db=mysql~hsql~oracle~postgresql~mssql')
  })

  it.each(exportTypes)('%s: export and preview have the same notes, whatever is licensed', async exportType => {
    const { id, name } = await made()
    const { shared } = console.context.store
    const set = (licence_limits: string) =>
      shared.updateTable('organisation').set({ licence_limits }).where('code', '=', 'ACME').execute()
    const call = { params: { id }, body: { exportType } }
    const { fileName, headers, bytes } = await designer.download(exportManifest, call)
    expect(fileName).toMatch(new RegExp(`^${name}-[a-z]+\\.zip$`))
    expect(readArchive(bytes).size).toBeGreaterThan(0)
    expect((await designer.call(previewExport, call)).notes).toBe(Number(headers.get(notesHeader)))
    await set('mc=50|db=')
    const { status } = await designer.send(exportManifest, call)
    expect(status).toBe(exportFormatOf(exportType).options.includes('databaseType') ? 403 : 200)
    await set('mc=50|db=mysql~hsql~oracle~postgresql~mssql')
  })

  it('Decisions §2 the export of an old version has its frozen content', async () => {
    const manifest = await made()
    const { id } = manifest
    const before = await requireExport(id)
    await designer.call(addManifestVersion, { params: { id }, query: { version: '1.1.0' } })
    const params = { id: manifest.entityPaths[0]?.id ?? 0 }
    const { answer, etag } = await designer.callWithTag(getEntity, { params })
    const { typeAttributes } = answer.entity
    const entity = {
      name: 'Changed',
      typeAttributes: typeAttributes.map(({ uid }) => ({
        uid,
        name: 'key',
        dataType: 'integer' as const,
        purpose: 'identifiedBy' as const,
      })),
    }
    await designer.call(updateEntity, { params, ifMatch: etag, body: { entity } })
    expect((await requireExport(id)).sql).toMatch(/create table "Changed"/i)
    expect((await requireExport(id, { version: '1.0.0' })).bytes).toEqual(before.bytes)
  })
})
