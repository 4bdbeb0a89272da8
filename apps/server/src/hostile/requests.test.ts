import { createEntity, getEntity, listEntities, listEntityLogs } from '@cadmus/model/contract/entity'
import { createManifest, listManifests } from '@cadmus/model/contract/manifest'
import { organisationHeader, signInHeader } from '@cadmus/model/contract/routes'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { cookieNames, signInCookie } from '../auth/session.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest } from '../testing/entities.ts'
import { expectUnchanged, expectRejection, rowCounts, sendBytes, sendRaw } from '../testing/rejections.ts'

const entity = '/1.0/cdm/entity'
const manifest = '/1.0/cdm/manifest'
const json = { 'content-type': 'application/json' }

/** Rejected before validation as versions. */
const patternFree = ['\u0000', `${'9'.repeat(120)}.0.0`, `2.0.0-${'a.'.repeat(60)}a`]

describeOnBothStores.whenProving('Malformed requests', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let id: number
  let manifestId: number
  let before: Record<string, number>
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    id = (await designer.call(createEntity, { body: { entity: { name: 'Victim' } } })).entity.id
    manifestId = await addManifest(server, 'VictimManifest')
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    server.advance(4000)
    before = await rowCounts(server)
  })
  afterEach(() => expectUnchanged(server, before))

  it.each([
    ['depth 101', `{"entity":{"name":"Deep","x":${'['.repeat(99)}${']'.repeat(99)}}}`],
    ['depth 100,000', `{"entity":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`],
    ['depth without an end', '['.repeat(1_000_000)],
    ['__proto__', '{"entity":{"name":"Proto"},"__proto__":{"isAdmin":true}}'],
    ['__proto__ within', '{"entity":{"name":"Proto","__proto__":{"type":"TEMPLATE"}}}'],
    ['__proto__ by escapes', '{"entity":{"name":"Proto","\\u005f_proto__":{"type":"TEMPLATE"}}}'],
    ['constructor.prototype', '{"entity":{"name":"Proto"},"constructor":{"prototype":{"isAdmin":true}}}'],
    ['299,000 different keys', `{${Array.from({ length: 299_000 }, (_, at) => `"k${at}":1`).join()}`],
    [
      'objects of many forms',
      `[${Array.from({ length: 40_000 }, (_, at) => `{"k${at % 100}":1,"k${(at / 100) | 0}":1}`).join()}`,
    ],
    ['400,000 values', `[${'1,'.repeat(400_000)}`],
    ['a cut text', '{"entity":{"name":"Cut"'],
    ['two values', '{"entity":{"name":"Two"}}{"entity":{"name":"Two"}}'],
    ['NaN', '{"entity":{"name":"Nan"},"targetManifestId":NaN}'],
    ['an array', '[{"entity":{"name":"List"}}]'],
    ['a number', '17'],
    ['bytes that are no UTF-8 in a name', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x22, 0x7d])],
    ['a byte order mark alone', '\ufeff'],
    ['a name that is a list', '{"entity":{"name":["Name"]}}'],
    ['a name that is an object', '{"entity":{"name":{"toString":"x"}}}'],
  ])('a body with %s is rejected', async (_what, body) => {
    const refusal = await expectRejection(await sendRaw(designer, 'POST', entity, body))
    expect([refusal.status, ['malformed', 'invalid']]).toEqual([400, expect.arrayContaining([refusal.code])])
  })

  it('a body over 5 MB is rejected with 413, with or without a declared length, or compressed', async () => {
    const large = `{"entity":{"name":"Large","description":"${'x'.repeat(5 * 1024 * 1024)}"}}`
    for (const path of [entity, manifest, `${entity}/${id}/associatedEntity`]) {
      const refusal = await expectRejection(await sendRaw(designer, 'POST', path, large, { ...json, 'if-match': '*' }))
      expect(refusal).toMatchObject({ status: 413, code: 'too_large' })
    }
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(300 * 1024 * 1024, 0x20)))
    expect(bomb.length).toBeLessThan(400_000)
    const packed = await expectRejection(
      await sendRaw(designer, 'POST', entity, bomb, { ...json, 'content-encoding': 'gzip' }),
    )
    expect([400, 413, 415]).toContain(packed.status)
  })

  it.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json+evil',
    'text/json',
    'a',
    ';;;',
  ])('the content type %s is rejected with 415, so that no cross-site form passes as JSON', async type => {
    const answer = await sendRaw(designer, 'POST', entity, '{"entity":{"name":"Typed"}}', { 'content-type': type })
    expect(await expectRejection(answer)).toMatchObject({ status: 415, code: 'unsupported_media_type' })
  })

  it.each([
    '-1',
    '0',
    '1.5',
    'NaN',
    'Infinity',
    '1e309',
    '9007199254740993',
    '9223372036854775808',
    '99999999999999999999999',
    ' ',
    '%20',
    'abc',
    "1'--",
    '1;drop table entity',
    '१२',
    '%00',
    '%F0%28%8C%28',
    '1%2f2',
    '..',
    '%2e%2e',
  ])('the id %s is answered 400 or 404', async wrong => {
    for (const [method, path] of [
      ['GET', `${entity}/${wrong}`],
      ['DELETE', `${entity}/${wrong}`],
      ['GET', `${manifest}/${wrong}`],
      ['DELETE', `${manifest}/${wrong}`],
      ['POST', `${manifest}/${wrong}/validate`],
      ['GET', `${entity}/custom/${wrong}/version`],
      ['GET', `${entity}/version/content/${wrong}?version=1.0.0`],
    ] as const) {
      const answer = await sendRaw(designer, method, path, undefined, {})
      // Clients normalise dots in addresses, perhaps to the address of a list.
      if (answer.ok && wrong.includes('.')) continue
      expect([400, 404]).toContain((await expectRejection(answer)).status)
    }
  })

  it.each([-2, 0.5, 2 ** 53 + 2, 1e300, 'x', '1', true, null, [1], { id: 1 }])(
    'the id %j in a body is rejected with 400',
    async wrong => {
      const bodies = [
        [entity, { entity: { name: 'IdEntity' }, targetManifestId: wrong }],
        [entity, { entity: { name: 'IdEntity' }, duplicateEntityId: wrong }],
        [entity, { entity: { name: 'IdEntity', extendsEntity: { id: wrong } } }],
        [entity, { entity: { name: 'IdEntity', extendsEntity: wrong === null ? 0 : wrong } }],
        [manifest, { manifestName: 'IdManifest', entities: [wrong] }],
        [manifest, { manifestName: 'IdManifest', subManifests: [wrong] }],
        [`${manifest}/wizard`, { manifestName: 'IdManifest', duplicateManifest: wrong }],
        [`${manifest}/${manifestId}/entities`, { entityIds: [wrong] }],
      ] as const
      for (const [path, body] of bodies) {
        const answer = await sendRaw(designer, 'POST', path, JSON.stringify(body))
        expect([path, (await expectRejection(answer)).status]).toEqual([path, 400])
      }
    },
  )

  it.each([
    'page=-1',
    'page=1.5',
    'page=NaN',
    'page=x',
    'limit=0',
    'limit=1001',
    'limit=-5',
    'limit=1e400',
    'page=1&page=2',
    'limit=1&limit=2',
    'search=a&search=b',
    'filter=EVERYTHING',
    'filter=ALL&filter=PRIVATE',
    `search=${'x'.repeat(201)}`,
    'search=%00',
    'after=%00',
    `after=${'A'.repeat(401)}`,
  ])('the query %s is rejected', async query => {
    for (const path of [entity, '/api/entities.json', manifest, '/api/manifests.json']) {
      const answer = await sendRaw(designer, 'GET', `${path}?${query}`, undefined, {})
      expect((await expectRejection(answer)).status).toBe(400)
    }
  })

  it.each([
    'x',
    '%',
    'null',
    encoded('null'),
    encoded('[]'),
    encoded('["a"]'),
    encoded('["a","1"]'),
    encoded('["a",1.5]'),
    encoded('["a",9007199254740993]'),
    encoded('["a\\u0000b",1]'),
    encoded('{"0":"a","1":1}'),
    encoded(`["${'a'.repeat(200)}",-1e308]`),
    encoded('[{"toString":1},1]'),
  ])('the cursor %s is rejected or is beyond the last item', async after => {
    for (const call of [listEntities, listManifests]) {
      const answer = await designer.send(call, { query: { after } })
      expect((await expectRejection(answer)).message).toBe('after: this must be a cursor returned by this list.')
    }
  })

  it('manipulated cursors are read as values, never as SQL', async () => {
    const own = async (query: { after?: string }) =>
      (await designer.call(listEntities, { query: { ...query, filter: 'PRIVATE', limit: 1000 } })).entity.map(
        ({ id }) => id,
      )
    const all = await own({})
    expect(all.length).toBeGreaterThan(0)
    const lengths: number[] = []
    for (const name of ["' or 1=1 --", '\\', '%', '_', '\u{1F600}', '\ud800', 'zzz'.repeat(60)]) {
      const after = encoded(JSON.stringify([name, -9007199254740991]))
      const found = await own({ after })
      // The rest of the list after that position.
      expect(found).toEqual(all.slice(all.length - found.length))
      lengths.push(found.length)
    }
    expect([Math.max(...lengths), Math.min(...lengths)]).toEqual([all.length, 0])
  })

  it('a page after the last one is empty, however far', async () => {
    for (const page of [100, 2_147_483_647, Number.MAX_SAFE_INTEGER]) {
      const list = await designer.call(listEntities, { query: { page, limit: 1000 } })
      expect([list.entity, list.next]).toEqual([[], null])
      expect(list.totalElements).toBeGreaterThan(0)
    }
    const { entityLogs } = await designer.call(listEntityLogs, { query: { offset: Number.MAX_SAFE_INTEGER } })
    expect(entityLogs).toEqual([])
  })

  it.each([
    '%',
    '_',
    '\\',
    "'",
    "' or '1'='1",
    '%27;drop table entity;--',
    '\u{1F600}',
    '\ud800',
    '\u202e',
    'İ',
    '*',
    '[',
  ])('a search for %s finds only items that contain it', async search => {
    for (const call of [listEntities, listManifests]) {
      const answer = await designer.send(call, { query: { search } })
      expect(answer.status).toBe(200)
      if (search === '_') continue
      expect(await answer.json()).toMatchObject({ totalElements: 0 })
    }
    const logs = await designer.send(listEntityLogs, { query: { userName: search, userEmail: search, userId: search } })
    expect(await logs.json()).toMatchObject({ totalElements: 0 })
  })

  it.each([
    'startDate=yesterday',
    'endDate=2026-99-99',
    'startDate=%00',
    'orderBy=password',
    'orderBy=id;drop',
    'orderBy=(select 1)',
    'actionType=DROP',
    'offset=-1',
    'offset=1.5',
    'limit=0',
    'startDate=1&startDate=2',
    'startDate=%2B275760-09-14',
  ])('the log query %s is rejected', async query => {
    for (const path of [`${entity}/logs`, `${manifest}/logs`]) {
      expect((await expectRejection(await sendRaw(designer, 'GET', `${path}?${query}`, undefined, {}))).status).toBe(
        400,
      )
    }
  })

  it.each([
    '',
    ' ',
    '1',
    '1.0',
    'v1.0.0',
    '1.0.0.0',
    '01.0.0',
    '1.0.0-',
    '1.0.0+',
    '1.0.0\n',
    "1.0.0'--",
    '９.0.0',
    `${'9'.repeat(120)}.0.0`,
    `2.0.0-${'a.'.repeat(60)}a`,
    '\u0000',
    '\ud800',
  ])('the version %j is rejected', async version => {
    const query = `version=${encodeURIComponent(version.replaceAll('\ud800', '\ufffd'))}`
    for (const path of [`${entity}/custom/${id}/version`, `${manifest}/${manifestId}/version`]) {
      const refusal = await expectRejection(await sendRaw(designer, 'POST', `${path}?${query}`, undefined, {}))
      expect(refusal.status).toBe(400)
      expect(patternFree.includes(version) || refusal.message === 'Invalid version pattern.').toBe(true)
      expect([400, 404]).toContain(
        (await expectRejection(await sendRaw(designer, 'DELETE', `${path}?${query}`, undefined, {}))).status,
      )
    }
    const read = await sendRaw(designer, 'GET', `${entity}/version/content/${id}?${query}`, undefined, {})
    expect([400, 404]).toContain((await expectRejection(read)).status)
  })

  it.each([
    ['an organisation twice', { [organisationHeader]: 'ACME, ACME' }, 403],
    ['an organisation of 10,000 characters', { [organisationHeader]: 'A'.repeat(10_000) }, 403],
    ['SQL for an organisation', { [organisationHeader]: "ACME' or '1'='1" }, 403],
    ['%00 for an organisation', { [organisationHeader]: '%00' }, 403],
    ['__proto__ for an organisation', { [organisationHeader]: '__proto__' }, 403],
    ['no bearer token', { authorization: 'Bearer' }, 401],
    ['a bearer token of 10,000 characters', { authorization: `Bearer ${'x'.repeat(10_000)}` }, 401],
    ['an Origin that cannot be read', { origin: '::' }, 403],
    ['an Origin with our name in it', { origin: 'http://localhost.evil.example' }, 403],
  ])('a request with %s is rejected with %s', async (_what, headers, status) => {
    const answer = await designer.browser.fetch(`${entity}`, {
      method: 'POST',
      headers: { ...json, [organisationHeader]: 'ACME', ...headers },
      body: '{"entity":{"name":"1"}}',
    })
    expect(await expectRejection(answer)).toMatchObject({ status })
  })

  it('a forged, truncated or duplicated session cookie is unauthenticated', async () => {
    const token = designer.browser.cookies.get(cookieNames.session)?.value ?? ''
    for (const cookie of [
      'x',
      token.slice(1),
      `${token}x`,
      token.toLowerCase(),
      '"',
      '%00',
      "' or 1=1",
      '__proto__',
      'x'.repeat(5000),
    ]) {
      const answer = await server.visitor().fetch(`${entity}/${id}`, {
        headers: { cookie: `${cookieNames.session}=${cookie}`, [organisationHeader]: 'ACME' },
      })
      expect((await expectRejection(answer)).status).toBe(401)
    }
  })

  it('a forged sign-in cookie does not start a session', async () => {
    for (const value of ['x', 'v1.a.b.c.d', `v1.${'A'.repeat(3000)}`, '{"state":"s","nonce":"n","verifier":"v"}']) {
      const answer = await server.visitor().fetch('/1.0/cdm/sso/signin?code=c&state=s', {
        method: 'POST',
        headers: { cookie: `${signInCookie('s')}=${encodeURIComponent(value)}`, [signInHeader]: '1' },
      })
      expect(await expectRejection(answer)).toMatchObject({ status: 401, code: 'state_mismatch' })
      server.advance(10_000)
    }
  })

  it('invalid HTTP, endless headers and smuggled lengths are rejected and close the connection', async () => {
    const host = `Host: ${new URL(server.url).host}`
    for (const [bytes, status] of [
      ['\x16\x03\x01\x02\x00\x01\x00', /^HTTP\/1\.1 400|^$/],
      ['GET / HTTP/9.9\r\n\r\n', /^HTTP\/1\.1 (400|505)/],
      [`GET ${entity} HTTP/1.1\r\n${host}\r\nX-Long: ${'a'.repeat(100_000)}\r\n\r\n`, /^HTTP\/1\.1 431/],
      [
        `POST ${entity} HTTP/1.1\r\n${host}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        /^HTTP\/1\.1 400/,
      ],
      [`POST ${entity} HTTP/1.1\r\n${host}\r\nContent-Length: -1\r\n\r\n`, /^HTTP\/1\.1 400/],
      [`POST ${entity} HTTP/1.1\r\n${host}\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc`, /^HTTP\/1\.1 400/],
      [`GET ${entity} HTTP/1.1\r\n\r\n`, /^HTTP\/1\.1 (400|421)/],
      [`GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n`, /^HTTP\/1\.1 421/],
      [`GET ${entity}/${'a'.repeat(10_000)} HTTP/1.1\r\n${host}\r\n\r\n`, /^HTTP\/1\.1 (400|401|404|414)/],
      [`TRACE ${entity} HTTP/1.1\r\n${host}\r\n\r\n`, /^HTTP\/1\.1 (400|404|405)/],
    ] as const) {
      expect(await sendBytes(server, bytes)).toMatch(status)
    }
  })

  it('a folder can be as long as the contract allows, and its name cannot contain a path traversal', async () => {
    const folders = ['f'.repeat(2000), '\u{1F600}'.repeat(600), '../..', '/etc', '%', "'", '%2e%2e%2f', 'a//b', '.']
    for (const folder of folders) {
      for (const path of [`${entity}/folders`, `${manifest}/folders`]) {
        const answer = await sendRaw(designer, 'GET', `${path}/${encodeURIComponent(folder)}`, undefined, {})
        if (folder === '.') continue
        expect([folder.slice(0, 20), answer.status]).toEqual([folder.slice(0, 20), 200])
        expect(await answer.json()).toMatchObject({ totalElements: 0 })
      }
    }
    const long = await sendRaw(designer, 'GET', `${entity}/folders/${'f'.repeat(2001)}`, undefined, {})
    expect((await expectRejection(long)).status).toBe(400)
    const longer = await sendRaw(designer, 'GET', `${entity}/folders/${'f'.repeat(9000)}`, undefined, {})
    expect([404, 414]).toContain((await expectRejection(longer)).status)
    for (const path of [
      `/${'f'.repeat(300)}`,
      `/assets/${'f'.repeat(5000)}.js`,
      '/..%2f..%2fetc%2fpasswd',
      '/a%00b',
      '/%c0%ae',
    ]) {
      expect([400, 404]).toContain((await expectRejection(await server.visitor().fetch(path))).status)
    }
  })

  it('a name that equals a property of every object is an ordinary name', async () => {
    for (const name of [
      'constructor',
      'prototype',
      'hasOwnProperty',
      'toString',
      'valueOf',
      'select',
      'null',
      'NaN',
      'CON',
    ]) {
      const { entity: made } = await designer.call(createEntity, {
        body: { entity: { name, typeAttributes: [{ name, choices: ['__proto__', 'constructor'] }] } },
      })
      const { entity: read } = await designer.call(getEntity, { params: { id: made.id } })
      expect([read.name, read.typeAttributes.at(-1)?.name]).toEqual([name, name])
      const { manifest: listed } = await designer.call(createManifest, {
        body: { manifestName: name, entities: [made.id] },
      })
      expect(listed.entityPaths.map(item => item.name)).toEqual([name])
    }
    before = await rowCounts(server)
  })
})

function encoded(text: string): string {
  return Buffer.from(text).toString('base64url')
}
