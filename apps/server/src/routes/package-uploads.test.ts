import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { packageId } from '@cadmus/formats/package/package-xml'
import { readPackages } from '@cadmus/formats/package/read'
import { namespaceOf } from '@cadmus/model/api/api'
import { listManifestLogs } from '@cadmus/model/contract/manifest'
import { previewUpload, uploadPackage } from '@cadmus/model/contract/package'
import { holds } from '@cadmus/testing/holds'
import type { CallArguments, ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { type FakeInstance, startFakeInstance } from '../testing/fake-instance.ts'
import { aBuiltPackage } from '../testing/packages.ts'

const secret = 'of-the-hosted-instance-0123456789abcdef'

describeOnBothStores.whenProving('Uploading to an instance', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let hosted: FakeInstance
  let packageName: string
  beforeAll(async () => {
    hosted = await startFakeInstance()
    server = await startConsole({
      store,
      env: { CADMUS_INSTANCES: `Local one=${hosted.url}`, CADMUS_INSTANCE_SECRET_LOCAL_ONE: secret },
    })
    designer = await server.as('designer')
    packageName = (await aBuiltPackage(designer, 'Uploaded')).name
  })
  afterAll(async () => {
    await server.stop()
    await hosted.close()
  })
  beforeEach(() => {
    server.advance(4000)
    hosted.seen.length = 0
    for (const key of Object.keys(hosted.answers)) delete hosted.answers[key]
  })

  const ok = (json: unknown) => ({ status: 200, json })
  const upload = (body: Partial<NonNullable<CallArguments<typeof uploadPackage>['body']>> = {}) => ({
    params: { name: packageName },
    body: { instanceUrl: hosted.url, version: '1.0.0', ...body },
  })
  const uploadCall = 'POST /esbapi/packages/upload'
  const statusCall = () => `GET /esbapi/packages/${packageName}`
  const at = (status: string, more: object = {}) =>
    ok({ id: packageId('ACME', namespaceOf(packageName)), name: packageName, version: '1.0.0', status, ...more })
  const sent = () => hosted.seen.filter(({ method }) => method === 'POST')

  it('a preview sends the package and reports the warnings that an upload would cause', async () => {
    const preview = { params: { name: packageName }, body: { instanceUrl: hosted.url, version: '1.0.0' } }
    const warnings = ['Its start would be refused: a column has records.']
    hosted.answers['POST /esbapi/packages/preview'] = ok([{ name: packageName, version: '1.0.0', warnings }])
    expect(await designer.call(previewUpload, preview)).toEqual({ result: 'Ok', warnings })
    expect(sent().map(({ path }) => path)).toEqual(['/esbapi/packages/preview'])
    const { manifestLogs } = await designer.call(listManifestLogs, {})
    expect(manifestLogs[0]?.DESCRIPTION).toMatch(/^Sent package Uploaded 1\.0\.0 to .* for a preview\.$/)
    // Other instances have no preview.
    hosted.answers['POST /esbapi/packages/preview'] = { status: 404, json: {} }
    expect(await designer.call(previewUpload, preview)).toEqual({ result: 'Ok', warnings: null })
  })

  it(
    'an upload sends the package with its password and reports the loaded package',
    holds('M7.69', 'M7.70'),
    async () => {
      hosted.answers[uploadCall] = ok([{ id: '1', name: packageName, status: 'LOADING', version: '1.0.0' }])
      hosted.answers[statusCall()] = [
        { status: 404, json: {} },
        at('STARTED', { version: '0.9.0' }),
        at('LOADING'),
        at('LOADED'),
        at('STARTED'),
      ]
      expect(await designer.call(uploadPackage, upload({ state: 'STARTED' }))).toEqual({
        result: 'Ok',
        message: `Package '${packageName}' 1.0.0 is started.`,
        status: 'STARTED',
      })
      const [uploaded] = sent()
      expect(uploaded?.path).toBe('/esbapi/packages/upload?stateOnCreate=STARTED&replaceExisting=true')
      const body = uploaded?.body ?? Buffer.alloc(0)
      const zip = body.subarray(body.indexOf('\r\n\r\n') + 4, body.lastIndexOf('\r\n--'))
      const [read] = readPackages(new Uint8Array(zip))
      expect(read?.properties.get('mysql.password')).toBe('Tiger-7')
      const owner = expect.stringMatching(/^[0-9a-f-]{36}$/)
      expect(read?.delivery).toEqual({ owner, adopts: true, secrets: true })
      const { manifestLogs } = await designer.call(listManifestLogs, {})
      expect(manifestLogs[0]?.DESCRIPTION).toBe(`Uploaded package ${packageName} 1.0.0 to ${new URL(hosted.url).host}.`)
      expect(server.log.join('\n')).not.toContain('Tiger-7')
    },
  )

  it("passes on the instance's message about the location of its data", async () => {
    hosted.answers[uploadCall] = ok([{ name: packageName, status: 'STARTING', version: '1.0.0' }])
    hosted.answers[statusCall()] = at('STARTED', { warnings: ['Its data are in another database.'] })
    const { message, warnings } = await designer.call(uploadPackage, upload({ state: 'STARTED' }))
    expect(message).toBe(`Package '${packageName}' 1.0.0 is started. Its data are in another database.`)
    expect(warnings).toEqual(['Its data are in another database.'])
    hosted.answers[statusCall()] = at('STARTED', { warnings: 'nothing of the kind' })
    expect((await designer.call(uploadPackage, upload({ state: 'STARTED' }))).message).toMatch(/is started\.$/)
  })

  it('lists a loss of data, and causes it only if confirmed', async () => {
    hosted.answers[uploadCall] = ok([{ name: packageName, status: 'STARTING', version: '1.0.0' }])
    const steps = [
      {
        grade: 'losesData',
        entity: 'Customer',
        attribute: 'email',
        text: "'email' of 'Customer' is dropped with its values.",
      },
      { grade: 'safe', entity: 'Order', attribute: '', text: "'Order' is new." },
    ]
    const reason = 'Version 1.0.0 would lose data.'
    hosted.answers[statusCall()] = at('START_FAILED', { reason, runningVersion: '0.9.0', stepCount: 700, steps })
    const refused = await designer.refusal(uploadPackage, upload({ state: 'STARTED' }))
    expect([refused.status, refused.answer]).toEqual([
      409,
      {
        code: 'instance_loses_data',
        message: `${packageName} 1.0.0 would lose data. Nothing was changed, and 0.9.0 keeps running.`,
        schema: { steps, count: 700 },
      },
    ])
    // Unexpected answers of other servers are not passed on.
    for (const strange of [
      [{ ...steps[0], text: 'x'.repeat(5000) }],
      Array(501).fill(steps[0]),
      [{ ...steps[0], grade: 'x' }],
      {},
    ]) {
      hosted.answers[statusCall()] = at('START_FAILED', { reason, steps: strange })
      const { answer } = await designer.refusal(uploadPackage, upload({ state: 'STARTED' }))
      expect([answer.code, answer.schema]).toEqual(['instance_failed', undefined])
    }
    const lossDigest = 'a1'.repeat(32)
    hosted.answers[statusCall()] = at('START_FAILED', { reason, stepCount: 2, steps, lossDigest })
    const named = await designer.refusal(uploadPackage, upload({ state: 'STARTED' }))
    expect(named.answer.schema).toEqual({ steps, count: 2, lossDigest })
    hosted.answers[statusCall()] = at('START_FAILED', { reason, stepCount: 2, steps, lossDigest: '&x=1' })
    const odd = await designer.refusal(uploadPackage, upload({ state: 'STARTED' }))
    expect(odd.answer.schema).toEqual({ steps, count: 2 })
    hosted.answers[statusCall()] = at('STARTED')
    hosted.seen.length = 0
    await designer.call(uploadPackage, upload({ state: 'STARTED', allowDataLoss: true, lossDigest }))
    expect(sent()[0]?.path).toBe(
      `/esbapi/packages/upload?stateOnCreate=STARTED&replaceExisting=true&allowDataLoss=true&lossDigest=${lossDigest}`,
    )
    hosted.seen.length = 0
    await designer.call(uploadPackage, upload({ state: 'STARTED', allowDataLoss: true }))
    expect(sent()[0]?.path).toBe(
      '/esbapi/packages/upload?stateOnCreate=STARTED&replaceExisting=true&allowDataLoss=true',
    )
    const { manifestLogs } = await designer.call(listManifestLogs, {})
    expect(manifestLogs[0]?.DESCRIPTION).toBe(
      `Uploaded package ${packageName} 1.0.0 to ${new URL(hosted.url).host}, allowing data loss.`,
    )
  })

  it("an upload is refused if an instance that does not check owners has another organisation's package of the name", async () => {
    const { host } = new URL(hosted.url)
    const taken = `${host} has a package '${packageName}' of another organisation. Choose another name for this one.`
    for (const other of [{ id: 'globex.sales' }, { owner: 'another-uid' }, { id: '' }]) {
      hosted.answers[uploadCall] = ok([{ name: packageName, status: 'STARTED', version: '1.0.0' }])
      hosted.answers[statusCall()] = at('STARTED', other)
      const { status, answer } = await designer.refusal(uploadPackage, upload({ state: 'STARTED' }))
      expect([status, answer.message, sent()]).toEqual([409, taken, []])
    }
    hosted.answers[uploadCall] = { status: 504, text: 'Gateway Timeout' }
    hosted.answers[statusCall()] = [{ status: 404, json: {} }, at('STARTED', { owner: 'another-uid' })]
    const late = await designer.refusal(uploadPackage, upload({ state: 'STARTED' }))
    expect([late.status, late.answer.message]).toEqual([409, taken])
  })

  it('continues after a 504, and reports why a package cannot run', async () => {
    hosted.answers[uploadCall] = { status: 504, text: 'Gateway Timeout' }
    hosted.answers[statusCall()] = [at('LOADING'), at('LOADED')]
    expect(await designer.call(uploadPackage, upload())).toMatchObject({ status: 'LOADED' })
    hosted.answers[statusCall()] = at('START_FAILED', { reason: 'The database did not answer.' })
    expect((await designer.refusal(uploadPackage, upload())).answer).toMatchObject({
      code: 'instance_failed',
      message: `The instance received ${packageName}, but could not start it: The database did not answer.`,
    })
    hosted.answers[uploadCall] = { status: 409, json: { message: 'Another upload of it is under way.' } }
    expect((await designer.refusal(uploadPackage, upload())).answer.message).toBe('Another upload of it is under way.')
    expect((await designer.refusal(uploadPackage, upload({ version: '9.9.9' }))).status).toBe(404)
  })
})
