import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Configuration, readConfiguration } from '@cadmus/model/configuration'
import { configurationEdits } from '@cadmus/model/contract/edits'
import { createManifest, getManifestConfiguration, saveManifestConfiguration } from '@cadmus/model/contract/manifest'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import { newUid } from '@cadmus/model/uid'
import { holds } from '@cadmus/testing/holds'
import { configurationOf } from '../store/manifest-configuration.ts'
import { manifestById } from '../store/manifest.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'

type Secrets = { password?: string; [property: string]: string | undefined }

describeOnBothStores.whenProving('Placeholders of stored secrets', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  let count = 0
  const made = async () => {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: `Secret${++count}` } })
    return manifest.id
  }
  const bodyOf = ({ password = '', ...properties }: Secrets) => ({
    packageProperties: {
      connectionPoolInfo: { password },
      customProperties: Object.entries(properties).map(([name, value]) => ({ name, value, secret: true })),
    },
  })
  const valuesOf = ({ packageProperties: { connectionPoolInfo, customProperties } }: Configuration) => ({
    password: connectionPoolInfo.password,
    ...Object.fromEntries(customProperties.map(({ name, value }) => [name, value])),
  })
  /** Returns the answer after the save, and its tag. */
  const save = async (id: number, secrets: Secrets, ifMatch = '*') => {
    const input = { params: { id }, body: bodyOf(secrets), ifMatch }
    const { answer, etag } = await designer.callWithTag(saveManifestConfiguration, input)
    return { ...shown(valuesOf(readConfiguration(answer.manifestProperties))), etag }
  }
  const shown = (values: Record<string, string>) => ({ of: (name: string) => values[name] ?? '', values })
  const refused = async (id: number, secrets: Secrets, ifMatch = '*') => {
    const input = { params: { id }, body: bodyOf(secrets), ifMatch }
    const { status, answer } = await designer.refusal(saveManifestConfiguration, input)
    return [status, answer.errors?.[0]?.path, answer.message]
  }
  /** The stored secrets, decrypted. */
  const stored = async (id: number) => {
    const acme = await organisationId(server)
    const db = server.context.store.of(acme)
    const { configuration } = await configurationOf(db, (await manifestById(db, acme, id))!)
    const values = Object.entries(valuesOf(configuration))
    return Object.fromEntries(values.map(([name, value]) => [name, server.context.secrets.decrypt(value) ?? value]))
  }

  it('placeholders of secrets change with each encryption only, and reveal nothing', async () => {
    const id = await made()
    const first = await save(id, { password: 'Tiger-1', key: 'Tiger-1', other: 'Tiger-1' })
    const marks = Object.values(first.values)
    expect(new Set(marks).size).toBe(3)
    for (const mark of marks) expect(mark).toMatch(/^\*{8} [\w-]{22}$/)
    const { answer } = await designer.callWithTag(getManifestConfiguration, { params: { id } })
    expect(valuesOf(readConfiguration(answer.manifestProperties))).toEqual(first.values)
    const again = await save(id, { password: first.of('password'), key: 'Tiger-1', renamed: first.of('other') })
    expect([again.of('password'), again.of('renamed')]).toEqual([first.of('password'), first.of('other')])
    expect(marks).not.toContain(again.of('key'))
    expect(await stored(id)).toEqual({ password: 'Tiger-1', key: 'Tiger-1', renamed: 'Tiger-1' })
  })

  it('placeholders of stored secrets keep their secret through renames, swaps and deletions in one save', async () => {
    const id = await made()
    const first = await save(id, { a: 'of a', b: 'of b', c: 'of c' })
    const second = await save(id, { b: first.of('a'), d: first.of('b') })
    expect(await stored(id)).toEqual({ password: '', b: 'of a', d: 'of b' })
    await save(id, { d: second.of('b'), b: second.of('d') })
    expect(await stored(id)).toEqual({ password: '', d: 'of a', b: 'of b' })
  })

  it(
    'placeholders without a mark refer to the current secret, by the name of its property',
    holds('M3.15'),
    async () => {
      const id = await made()
      await save(id, { password: 'Tiger-1', a: 'of a', b: 'of b' })
      await save(id, { password: '********', a: '********' })
      expect(await stored(id)).toEqual({ password: 'Tiger-1', a: 'of a' })
    },
  )

  it('a save may omit the placeholder and the flag of a secret: the property is still secret', async () => {
    const id = await made()
    const first = await save(id, { a: 'of a', b: 'of b', c: 'of c' })
    const customProperties = [{ name: 'a', value: 'Lion-1' }, { name: 'b', secret: true }, { name: 'c' }]
    const changed = async (properties: object[], ifMatch = '*') => {
      const body = { packageProperties: { customProperties: properties } }
      return designer.send(saveManifestConfiguration, { params: { id }, body, ifMatch })
    }
    // The secret is also kept after a change of another field.
    await designer.call(saveManifestConfiguration, {
      params: { id },
      body: { packageProperties: { connectionPoolInfo: { url: 'jdbc:mysql://db/shop' } } },
      ifMatch: '*',
    })
    expect((await changed(customProperties, first.etag)).status).toBe(200)
    expect(await stored(id)).toEqual({ password: '', a: 'Lion-1', b: 'of b', c: 'of c' })
    const { manifestProperties } = await designer.call(getManifestConfiguration, { params: { id } })
    const { packageProperties } = readConfiguration(manifestProperties)
    expect(packageProperties.customProperties.map(({ secret }) => secret)).toEqual([true, true, true])
    expect(JSON.stringify(packageProperties)).not.toContain('Lion-1')
    // The flag alone discloses no secret; it does close a plain value.
    const opened = await changed([{ name: 'a', secret: false }])
    expect([opened.status, await opened.text()]).toEqual([400, expect.stringContaining('customProperties.0.value')])
    await changed([{ name: 'open', value: 'Bear-1' }])
    await changed([{ name: 'open', secret: true }])
    expect(await stored(id)).toEqual({ password: '', open: 'Bear-1' })
  })

  it('placeholders of replaced secrets are valid, so that a save can be undone', async () => {
    const id = await made()
    const first = await save(id, { password: 'Tiger-1', key: 'Lion-1' })
    const second = await save(id, { password: '', key: 'Lion-2' }, first.etag)
    await save(id, { password: first.of('password'), key: first.of('key') }, second.etag)
    expect(await stored(id)).toEqual({ password: 'Tiger-1', key: 'Lion-1' })
    // Within a limited number of later saves.
    let { etag } = second
    for (let round = 0; round < 26; round += 1) ({ etag } = await save(id, { key: `Lion-${round}` }))
    expect((await refused(id, { key: first.of('key') }, etag))[0]).toBe(400)
  })

  it('report a concurrently changed secret in a stale save without its value', async () => {
    const id = await made()
    const first = await save(id, { key: 'Lion-1', other: 'Bear-1' })
    await save(id, { key: 'Lion-2', other: first.of('other') }, first.etag)
    const input = { params: { id }, body: bodyOf({ key: 'Lion-3', other: first.of('other') }), ifMatch: first.etag }
    const { status, answer } = await designer.refusal(saveManifestConfiguration, input)
    const place = { path: 'packageProperties.customProperties.key', field: 'value' }
    expect([status, answer.conflicts]).toEqual([
      409,
      [expect.objectContaining({ ...place, base: null, mine: null, theirs: null })],
    ])
    await save(id, { key: first.of('key'), other: 'Bear-2' }, first.etag)
    expect(await stored(id)).toEqual({ password: '', key: 'Lion-2', other: 'Bear-2' })
  })

  it("conflict with another user's secret, but not with the user's own unanswered save", async () => {
    const id = await made()
    const first = await save(id, { password: 'Tiger-1', key: 'Lion-1' })
    const lost = await save(id, { password: 'Tiger-2', key: 'Lion-2' }, first.etag)
    const again = await save(id, { password: 'Tiger-2', key: 'Lion-2' }, first.etag)
    expect([again.values, again.etag]).toEqual([lost.values, lost.etag])
    // Entering another user's secret reveals nothing: guesses cannot be confirmed.
    const other = await server.as('admin', 'ACME')
    const input = { params: { id }, body: bodyOf({ password: 'Tiger-2', key: 'Lion-2' }), ifMatch: first.etag }
    const { status, answer } = await other.refusal(saveManifestConfiguration, input)
    expect([status, answer.conflicts?.map(({ field }) => field)]).toEqual([409, ['password', 'value']])
    // A secret changed by another user since is no longer one's own.
    await other.call(saveManifestConfiguration, {
      ...input,
      ifMatch: again.etag,
      body: bodyOf({ password: 'Tiger-3' }),
    })
    expect((await refused(id, { password: 'Tiger-2', key: 'Lion-2' }, first.etag))[0]).toBe(409)
  })

  it("placeholders of stored secrets do not confirm guesses of another user's secret, even if it was restored or renamed", async () => {
    const id = await made()
    const first = await save(id, { password: 'Tiger-1', key: 'Lion-1' })
    const other = await server.as('admin', 'ACME')
    /** Returns the answer to a guess from a stale base. */
    const guess = async (secrets: Secrets, ifMatch: string) => {
      const { status } = await other.refusal(saveManifestConfiguration, {
        params: { id },
        body: bodyOf(secrets),
        ifMatch,
      })
      return status
    }
    const put = async (secrets: Secrets, ifMatch: string) =>
      (await other.callWithTag(saveManifestConfiguration, { params: { id }, body: bodyOf(secrets), ifMatch })).etag
    const away = await put({ password: 'mine', key: 'mine' }, first.etag)
    const back = await put({ password: first.of('password'), moved: first.of('key') }, away)
    expect(await stored(id)).toEqual({ password: 'Tiger-1', moved: 'Lion-1' })
    for (const base of [first.etag, away]) {
      expect(await guess({ password: first.of('password'), moved: 'Lion-1' }, base)).toBe(409)
      expect(await guess({ password: first.of('password'), moved: 'Lion-2' }, base)).toBe(409)
    }
    expect(await guess({ password: 'Tiger-1', moved: first.of('key') }, away)).toBe(409)
    const { answer } = await designer.callWithTag(getManifestConfiguration, { params: { id } })
    expect(valuesOf(readConfiguration(answer.manifestProperties))).toEqual({
      password: first.of('password'),
      moved: first.of('key'),
    })
    // A secret that the same user has typed since then causes no conflict.
    const typed = await put({ password: 'Puma-1', moved: first.of('key') }, back)
    expect(await put({ password: 'Puma-1', moved: first.of('key') }, back)).toBe(typed)
  })

  it('placeholders of other secrets are rejected and must be entered again', async () => {
    const [id, other] = [await made(), await made()]
    const { of } = await save(id, { password: 'Tiger-1', key: 'Lion-1' })
    const elsewhere = await save(other, { password: 'Puma-1', key: 'Bear-1' })
    const requested = (name: string) => `The value of "${name}" is no longer stored: enter it again.`
    const at = 'packageProperties.customProperties.0.value'
    for (const value of [elsewhere.of('key'), '******** Lion-1', `******** ${'A'.repeat(22)}`, of('password')])
      expect(await refused(id, { key: value })).toEqual([400, at, requested('key')])
    expect(await refused(id, { new: '********' })).toEqual([400, at, requested('new')])
    for (const password of [elsewhere.of('password'), of('key')])
      expect(await refused(id, { password })).toEqual([
        400,
        'packageProperties.connectionPoolInfo.password',
        requested('Connection Password'),
      ])
    expect(await stored(id)).toEqual({ password: 'Tiger-1', key: 'Lion-1' })
  })

  it('a configuration too large is refused before its secrets are encrypted, in a save and in edits', async () => {
    const id = await made()
    const secrets = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`p${index}`, 'x'.repeat(3900)]))
    const [status, path, message] = await refused(id, secrets)
    expect([status, path]).toEqual([400, ''])
    const value = bodyOf(secrets).packageProperties.customProperties
    const changes = [{ path: ['packageProperties', 'customProperties'], value }]
    const edits = [{ kind: 'changeConfiguration' as const, changes }]
    const body = { format: editFormat, operationId: newUid(), base: '*', edits }
    const { answer } = await designer.refusal(configurationEdits.save, { params: { id }, body })
    expect(answer.message).toBe(message)
  })
})
