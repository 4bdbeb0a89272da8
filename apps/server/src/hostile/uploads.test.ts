import { readArchive, writeArchive } from '@cadmus/formats/archive'
import { createEntity, exportEntity, getEntity, importEntity, listEntities } from '@cadmus/model/contract/entity'
import {
  cancelImport,
  exportManifest,
  getImportProgress,
  importManifest,
} from '@cadmus/model/contract/manifest-transfer'
import { listManifests } from '@cadmus/model/contract/manifest'
import { organisationHeader } from '@cadmus/model/contract/routes'
import { isProving } from '@cadmus/testing/proof'
import { randomUUID } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cookieNames } from '../auth/session.ts'
import { recoverJobs } from '../jobs/job-recovery.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import {
  boundary,
  field,
  file,
  folder,
  form,
  foundations,
  good,
  jsonField,
  large,
  manifestText,
  oneEntity,
  rootName,
  zeros,
  zip,
} from '../testing/hostile-uploads.ts'
import { expectUnchanged, expectRejection, rowCounts, sendRaw } from '../testing/rejections.ts'

const manifestImport = '/1.0/cdm/manifest/import'
const entityImport = '/1.0/cdm/entity/import'

/**
 * Moments at which an import is cancelled: milliseconds after a number of stored entities; -1: as soon as the import is
 * listed.
 */
const moments = [-1, 0, 25, 50].flatMap(stored => (isProving() ? [0, 8] : [8]).map(delay => ({ stored, delay })))
/** Entities of an import that is cancelled or observed. */
const many = isProving() ? 300 : 120

describeOnBothStores.whenProving('Uploaded files', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let before: Record<string, number>
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    server.advance(4000)
    before = await rowCounts(server)
  })
  afterEach(async () => {
    await expectUnchanged(server, before)
    await recoverJobs(server.context)
    await expectUnchanged(server, before)
  })

  const zipRefusal = async (bytes: Uint8Array) =>
    expectRejection(await designer.send(importManifest, { files: { manifestFile: { name: 'a.zip', bytes } } }))
  const jsonRefusal = async (text: string | Uint8Array) => {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
    return expectRejection(await designer.send(importEntity, { files: { entityFile: { name: 'a.json', bytes } } }))
  }

  describe('forms', () => {
    it.each<[string, string, string, number]>([
      ['nothing in it', manifestImport, form([]), 400],
      ['no end', manifestImport, `--${boundary}\r\nContent-Disposition: form-data; name="importAs"\r\n\r\nCDM`, 400],
      ['no boundary in its body', manifestImport, 'nothing of a form', 400],
      ['fields only', manifestImport, form([field('importAs', 'CDM_SCHEMA')]), 400],
      [
        'two files of the right name',
        manifestImport,
        form([file('manifestFile', 'a.zip'), file('manifestFile', 'b.zip')]),
        400,
      ],
      ['a file of another name', manifestImport, form([file('entityFile', 'a.zip')]), 400],
      ['a second file of another name', manifestImport, form([file('manifestFile', 'a.zip'), file('x', 'b.zip')]), 400],
      ['a field where the file should be', manifestImport, form([field('manifestFile', 'PK')]), 400],
      ['a name of 10,000 characters', manifestImport, form([field('n'.repeat(10_000), 'x')]), 400],
      ['a field of 1 MB', manifestImport, form([field('importAs', 'x'.repeat(1024 * 1024))]), 400],
      ['1,000 fields', manifestImport, form(Array.from({ length: 1000 }, (_, index) => field(`f${index}`, 'x'))), 413],
      ['__proto__ for a name', manifestImport, form([field('__proto__', 'x')]), 400],
      ['a file without a name', manifestImport, form([file('manifestFile', '')]), 415],
      ['another extension', manifestImport, form([file('manifestFile', 'a.zip.exe')]), 415],
      ['a NUL before the extension', manifestImport, form([file('manifestFile', 'a.exe\u0000.zip')]), 400],
      ['a climbing file name', manifestImport, form([file('manifestFile', '../../../etc/a.zip')]), 400],
      ['a wrong kind', manifestImport, form([field('importAs', 'EVERYTHING'), file('manifestFile', 'a.zip')]), 400],
      ['JSON that is none in a part', manifestImport, form([jsonField('importAs', '{')]), 400],
      ['JSON that is __proto__ in a part', manifestImport, form([jsonField('importAs', '{"__proto__":1}')]), 400],
      ['a zip for an entity', entityImport, form([file('entityFile', 'a.zip')]), 415],
      ['a wrong manifest', `${entityImport}?targetManifest=999999`, form([file('entityFile', 'a.json', '{}')]), 400],
      ['a manifest that is none', `${entityImport}?targetManifest=x`, form([file('entityFile', 'a.json', '{}')]), 400],
    ])('forms with %s are rejected', async (_what, path, body, status) => {
      const answer = await sendRaw(designer, 'POST', path, body, {
        'content-type': `multipart/form-data; boundary=${boundary}`,
      })
      expect((await expectRejection(answer)).status).toBe(status)
    })

    it.each([
      'application/json',
      'application/zip',
      'text/plain',
      'multipart/mixed; boundary=x',
      'application/octet-stream',
    ])('forms of the content type %s are rejected with 415', async type => {
      for (const path of [manifestImport, entityImport]) {
        const answer = await sendRaw(designer, 'POST', path, '{}', { 'content-type': type })
        expect(await expectRejection(answer)).toMatchObject({ status: 415, code: 'unsupported_media_type' })
      }
    })

    it('forms without a boundary, or with a boundary of 10,000 characters, are rejected', async () => {
      for (const more of ['', '; boundary=', `; boundary=${'b'.repeat(10_000)}`]) {
        const answer = await sendRaw(designer, 'POST', manifestImport, form([]), {
          'content-type': `multipart/form-data${more}`,
        })
        expect([400, 406, 415]).toContain((await expectRejection(answer)).status)
      }
    })

    it('rejected forms do not close their connection, at any length', async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const long = form([file('other', 'a.zip', 'x'.repeat(8 * 1024 * 1024))])
      const ports = new Set<number | undefined>()
      for (let sent = 0; sent < 3; sent++) {
        const { statusCode, socket } = await uploaded(agent, server, designer, long)
        expect(statusCode).toBe(400)
        ports.add(socket.localPort)
      }
      expect(ports.size).toBe(1)
      agent.destroy()
    })

    it('forms with a key that is not a UUID are rejected before they are read', async () => {
      for (const key of ['1', '__proto__', '../x', 'x'.repeat(5000)]) {
        const answer = await sendRaw(designer, 'POST', `${manifestImport}?key=${encodeURIComponent(key)}`, form([]), {
          'content-type': `multipart/form-data; boundary=${boundary}`,
        })
        expect((await expectRejection(answer)).status).toBe(400)
      }
    })
  })

  describe('zips', () => {
    it.each<[string, Uint8Array | (() => Uint8Array), RegExp]>([
      ['no bytes', new Uint8Array(), /zip/],
      ['zeros', new Uint8Array(1024), /zip/],
      ['a zip cut in the middle', good().slice(0, 200), /zip/],
      ['a zip without its beginning', good().slice(100), /damaged|zip/],
      ['only the end of a zip', good().slice(-22), /damaged|zip/],
      ['another archive', new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), /zip/],
      ['a climbing path', zip({ name: '../../outside.json' }), /leads out of the folder/],
      ['a path that climbs within', zip({ name: 'a/../../b.json' }), /leads out of the folder/],
      ['an absolute path', zip({ name: '/etc/passwd' }), /leads out of the folder/],
      ['a backslash path', zip({ name: '..\\..\\b.json' }), /leads out of the folder/],
      ['a drive', zip({ name: 'C:/windows/b.json' }), /leads out of the folder/],
      ['a NUL in a path', zip({ name: 'a\u0000.json' }), /leads out of the folder/],
      ['an entry without a name', zip({ name: '' }), /leads out of the folder/],
      ['a link', zip({ name: 'link.json', mode: 0o120777, content: '/etc/passwd' }), /link or a device/],
      ['a device', zip({ name: 'device.json', mode: 0o020666 }), /link or a device/],
      ['a name twice', zip({ name: 'a.json' }, { name: 'a.json' }), /twice/],
      ['a wrong checksum', zip({ name: rootName, crc: 1 }), /damaged/],
      ['a header that says too little', zip({ name: rootName, content: 'x'.repeat(5000), size: 10 }), /damaged/],
      ['a header that says too much', zip({ name: rootName, content: '{}', size: 100_000 }), /damaged/],
      ['a packed size beyond the end', zip({ name: rootName, packedSize: 1_000_000 }), /damaged/],
      ['an encrypted entry', zip({ name: rootName, flags: 1 }), /encrypted/],
      ['another method', zip({ name: rootName, method: 14 }), /method/],
      ['a bomb', () => zip({ name: rootName, content: zeros }), /compressed|MB/],
      ['a bomb whose header says little', () => zip({ name: rootName, content: zeros, size: 1000 }), /damaged/],
      [
        'sizes that add up to more than 1 GB',
        () => zip(...Array.from({ length: 30 }, (_, index) => ({ name: `${index}.json`, size: 60_000_000 }))),
        /compressed|MB/,
      ],
      [
        'a bomb in a zip in a zip',
        () => writeArchive(new Map([['inner.zip', zip({ name: rootName, content: zeros })]])),
        /manifest|compressed/,
      ],
      [
        '20,001 entries',
        () => zip(...Array.from({ length: 20_001 }, (_, index) => ({ name: `${index}.json` }))),
        /20,?001 entries/,
      ],
      ['no files', writeArchive(new Map()), /manifest/],
      ['no manifest', writeArchive(new Map([['readme.txt', 'hello']])), /manifest/],
      ['JSON that is no CDM', writeArchive(new Map([['a.json', '{"hello":[1,2,3]}']])), /manifest/],
      ['a manifest that is no JSON', writeArchive(new Map([[rootName, '{"manifestName":']])), /JSON/],
      ['a manifest that is a list', writeArchive(new Map([[rootName, '[]']])), /./],
      ['a manifest that is null', writeArchive(new Map([[rootName, 'null']])), /./],
      [
        'a manifest that is no text',
        writeArchive(new Map([[rootName, new Uint8Array([0xff, 0xfe, 0xfd, 0x80])]])),
        /./,
      ],
      ['a manifest of depth 100,000', writeArchive(new Map([[rootName, `{"entities":${'['.repeat(100_000)}`]])), /./],
      [
        'two manifests at the top',
        writeArchive(
          new Map([
            ['a.manifest.cdm.json', manifestText()],
            ['b.manifest.cdm.json', manifestText()],
          ]),
        ),
        /./,
      ],
      ['a name of 10,000 characters', folder({ E: { entityName: 'x'.repeat(10_000) } }), /too long/],
    ])('a zip upload of %s is rejected and nothing is stored', async (_what, made, words) => {
      const { status, message } = await zipRefusal(typeof made === 'function' ? made() : made)
      expect([status, message]).toEqual([400, expect.stringMatching(words)])
      expect(message.length).toBeLessThan(500)
    })

    it('an aborted upload stores nothing and blocks no request', async () => {
      for (const part of [0, 1, 100, 1000]) {
        const bytes = Buffer.from(form([file('manifestFile', 'a.zip', good())]), 'latin1').subarray(0, part)
        await abandoned(server, designer, bytes)
      }
      await wait(100)
      expect((await designer.send(listManifests, {})).status).toBe(200)
    })
  })

  describe('entity files', () => {
    const whole = (more: object = {}) => JSON.stringify({ ...entityDoc, ...more })
    let entityDoc: Record<string, unknown> = {}
    beforeAll(async () => {
      const body = { entity: { name: 'Pattern', typeAttributes: [{ name: 'code', maxLength: 5 }] } }
      const { entity } = await designer.call(createEntity, { body })
      const answer = await designer.call(exportEntity, { params: { id: entity.id } })
      entityDoc = { ...Object(answer.entityDoc) }
    })

    it.each<[string, string | Uint8Array]>([
      ['no bytes', ''],
      ['a text', 'hello'],
      ['a number', '5'],
      ['a list', '[]'],
      ['null', 'null'],
      ['an empty object', '{}'],
      ['a cut document', '{"format":1,"entity":{"name":'],
      ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0x00, 0x80])],
      ['UTF-16', new Uint8Array(Buffer.from('\ufeff{"a":1}', 'utf16le'))],
      ['depth 101', `${'['.repeat(101)}${']'.repeat(101)}`],
      ['depth without an end', '{"a":'.repeat(200_000)],
      ['another JSON', '{"openapi":"3.1.0","paths":{}}'],
      ['a CDM document without entities', JSON.stringify({ imports: foundations, definitions: [] })],
    ])('an entity file with %s is rejected and nothing is stored', async (_what, text) => {
      const { status, message } = await jsonRefusal(text)
      expect(status).toBe(400)
      expect(message.length).toBeLessThan(500)
    })

    it.each([0, -1, 2, 1.5, 999, '1', null, 'x', [], {}, Number.MAX_SAFE_INTEGER])(
      'an invalid format number %j is rejected with a message',
      async format => {
        for (const key of Object.keys(entityDoc).filter(name => /format|version/i.test(name))) {
          const answer = await jsonRefusalOrNull({ ...entityDoc, [key]: format })
          expect(answer === null || answer.status === 400).toBe(true)
        }
      },
    )

    it('an entity file of 5 MB or more is rejected with 413', async () => {
      const { status } = await jsonRefusal(whole({ filler: 'x'.repeat(5 * 1024 * 1024) }))
      expect(status).toBe(413)
    })

    async function jsonRefusalOrNull(document: unknown) {
      const bytes = new TextEncoder().encode(JSON.stringify(document))
      const answer = await designer.send(importEntity, { files: { entityFile: { name: 'a.json', bytes } } })
      if (!answer.ok) return expectRejection(answer)
      // An accepted file must give a readable entity.
      const { entity } = importEntity.answer.parse(await answer.json())
      expect((await designer.call(getEntity, { params: { id: entity.id } })).entity.name).not.toBe('')
      before = await rowCounts(server)
      return null
    }
  })

  it.each(['../../evil', '..', '/etc/passwd', 'a\\b', "x'; drop table y; --", '\u202egpj.exe', '-- \u2028drop'])(
    'files with the manifest name %s are exported under a name without a path',
    async manifestName => {
      const bytes = writeArchive(
        new Map([
          [
            rootName,
            manifestText([], {
              manifestName,
              entities: [{ type: 'LocalEntity', entityName: 'One', entityPath: 'One.cdm.json/One' }],
            }),
          ],
          ['One.cdm.json', oneEntity],
        ]),
      )
      const { manifest } = await designer.call(importManifest, { files: { manifestFile: { name: 'a.zip', bytes } } })
      const exported = await designer.send(exportManifest, {
        params: { id: manifest.id },
        body: { databaseType: 'postgresql' },
      })
      expect(exported.headers.get('content-disposition')).toMatch(
        /^attachment; filename="[\w-]+\.zip"; filename\*=UTF-8''[\w-]+\.zip$/,
      )
      const zipped = readArchive(new Uint8Array(await exported.arrayBuffer()))
      expect([...zipped.keys()]).toEqual([expect.stringMatching(/^[\w-]+\.sql$/)])
      const script = Buffer.from(zipped.get([...zipped.keys()][0] ?? '') ?? '').toString()
      expect(script.split('\n')[0]).toMatch(/^-- Database schema of [\w .‹+›-]* for PostgreSQL$/)
      before = await rowCounts(server)
    },
  )

  it('leave nothing if their import is cancelled, at any time', async () => {
    const files = { manifestFile: { name: 'large.zip', bytes: large(many) } }
    let cancelled = 0
    for (const { stored, delay } of moments) {
      const key = randomUUID()
      const running = designer.send(importManifest, { query: { key }, files })
      const progress = async () => {
        const answer = await designer.send(getImportProgress, { params: { key } })
        return answer.ok ? getImportProgress.answer.parse(await answer.json()) : { state: 'none', done: -1 }
      }
      const isDue = async () => {
        const { state, done } = await progress()
        server.advance(50)
        return state === 'done' || (stored < 0 ? done >= 0 : state === 'storing' && done >= stored)
      }
      await expect.poll(isDue, { interval: 2 }).toBe(true)
      await wait(delay)
      await designer.send(cancelImport, { params: { key } })
      const answer = await running
      // The import may finish before the cancellation arrives; then nothing may be missing.
      const isComplete = answer.status === 200
      const ending = isComplete ? 'done' : (await expectRejection(answer)).code
      expect(ending).toBe(isComplete ? 'done' : 'cancelled')
      expect((await progress()).state).toBe(ending)
      if (isComplete) before = await rowCounts(server)
      else cancelled += 1
      expect(await rowCounts(server)).toEqual(before)
      server.advance(20_000)
    }
    expect(cancelled).toBeGreaterThan(0)
    await wait(300)
  })

  it('uploaded files are invisible during their import, which only its user can cancel', async () => {
    const key = randomUUID()
    const files = { manifestFile: { name: 'large.zip', bytes: large(many) } }
    const total = async () => (await designer.call(listEntities, { query: { limit: 1 } })).totalElements
    const present = await total()
    const running = designer.send(importManifest, { query: { key }, files })
    const seen = new Set<number>()
    const elsewhere = await server.as('admin', 'CADMUS')
    let over = false
    void running.then(() => (over = true))
    while (!over) {
      const now = await total()
      if (!over) seen.add(now)
      expect((await elsewhere.send(cancelImport, { params: { key } })).status).toBe(404)
      expect((await elsewhere.send(getImportProgress, { params: { key } })).status).toBe(404)
      server.advance(100)
    }
    expect((await running).status).toBe(200)
    expect([...seen].filter(count => count !== present && count !== present + many)).toEqual([])
    expect(await total()).toBe(present + many)
    before = await rowCounts(server)
  })
})

/** The answer to an upload on a connection of the agent. */
function uploaded(agent: Agent, server: TestConsole, client: ConsoleClient, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = {
      cookie: `${cookieNames.session}=${client.browser.cookies.get(cookieNames.session)?.value ?? ''}`,
      [organisationHeader]: 'ACME',
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': body.length,
    }
    request(new URL(manifestImport, server.url), { method: 'POST', agent, headers }, answer =>
      answer.resume().once('end', () => resolve(answer)),
    )
      .once('error', reject)
      .end(body)
  })
}

/** Starts an upload with a declared length beyond its bytes, and disconnects. */
function abandoned(server: TestConsole, client: ConsoleClient, bytes: Buffer): Promise<void> {
  const cookie = `${cookieNames.session}=${client.browser.cookies.get(cookieNames.session)?.value ?? ''}`
  return new Promise(resolve => {
    const sent = request(new URL(manifestImport, server.url), {
      method: 'POST',
      headers: {
        cookie,
        [organisationHeader]: 'ACME',
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': 1_000_000,
      },
    })
    sent.on('error', () => undefined)
    sent.on('close', () => resolve())
    sent.write(bytes)
    setTimeout(() => sent.destroy(), 50)
  })
}
