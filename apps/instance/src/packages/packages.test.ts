import { writeArchive } from '@cadmus/formats/archive'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OperationError, SignInError } from '../engine/errors.ts'
import { propertiesOf } from '../testing/databases.ts'
import { consoleSecret, pastRetry, startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageFiles, packageZip } from '../testing/package-zip.ts'
import { probe, type ProbeEngines, probeEngines } from '../testing/probe.ts'

describe('packages of an instance', () => {
  let engines: ProbeEngines
  let instance: TestInstance
  beforeEach(async () => {
    engines = probeEngines()
    instance = await startTestInstance({ openEngine: engines.openEngine, protocols: [probe] })
  })
  afterEach(() => instance.stop())

  /** The version that answers, or the error status. */
  async function runningVersion(name = 'shop'): Promise<unknown> {
    const answer = await instance.fetch(`/probe/${name}`)
    const body: { result: { record: { version: string } } } = JSON.parse(await answer.text())
    return answer.ok ? body.result.record.version : answer.status
  }
  const change = async (word: string, name = 'shop') => {
    const { status } = await instance.manage('PUT', `/esbapi/packages/${name}/${word}`)
    return [status, (await instance.settled(name)).status]
  }
  const zips = () => readdirSync(join(instance.dataDir, 'packages', 'shop')).filter(file => file.endsWith('.package'))

  it('packages change their state on request', async () => {
    const uploaded = await instance.upload(packageZip(), 'stateOnCreate=LOADED')
    expect(uploaded.status).toBe(200)
    expect(await uploaded.json()).toEqual([
      { id: 'acme.shop', name: 'shop', status: expect.any(String), version: '1.0.0' },
    ])
    expect(await instance.settled('shop')).toMatchObject({ status: 'LOADED', runningVersion: null })
    expect(await runningVersion()).toBe(404)
    expect(await change('start')).toEqual([202, 'STARTED'])
    expect(await runningVersion()).toBe('1.0.0')
    expect(await change('stop')).toEqual([202, 'LOADED'])
    expect(await runningVersion()).toBe(404)
    expect(engines.opened).toMatchObject([{ closed: true }])
    expect(await change('unload')).toEqual([202, 'UNLOADED'])
    expect(await change('load')).toEqual([202, 'LOADED'])
    expect(await change('unload')).toEqual([202, 'UNLOADED'])
    expect(await change('start')).toEqual([202, 'STARTED'])
    expect((await instance.manage('DELETE', '/esbapi/packages/shop')).status).toBe(204)
    expect((await instance.manage('GET', '/esbapi/packages/shop')).status).toBe(404)
    expect(await runningVersion()).toBe(404)
    expect(readdirSync(join(instance.dataDir, 'packages'))).toEqual([])
  })

  it('uploads and changes during a shutdown are answered 503, and nothing of them is stored', async () => {
    await instance.upload(packageZip())
    await instance.settled('shop')
    const stored = () => readdirSync(join(instance.dataDir, 'packages'), { recursive: true }).toSorted()
    const before = stored()
    await instance.context.packages.close()
    const answers = await Promise.all([
      instance.upload(packageZip({ version: '2.0.0' })),
      instance.upload(packageZip({ name: 'other' })),
      instance.preview(packageZip()),
      instance.manage('PUT', '/esbapi/packages/shop/start'),
      instance.manage('DELETE', '/esbapi/packages/shop'),
    ])
    for (const answer of answers) expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10'])
    expect(stored()).toEqual(before)
  })

  it('an upload that is queued when the instance stops starts with the next start of the instance', async () => {
    await instance.upload(packageZip())
    await instance.settled('shop')
    const { promise, resolve } = Promise.withResolvers<void>()
    engines.waitsFor = promise
    await instance.upload(packageZip({ version: '2.0.0' }))
    expect((await instance.upload(packageZip({ version: '3.0.0' }))).status).toBe(200)
    const restarted = instance.restart()
    resolve()
    await restarted
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', version: '3.0.0' })
    expect(await runningVersion()).toBe('3.0.0')
    expect(zips()).toHaveLength(1)
  })

  it('packages start in the state of their manifest by default', async () => {
    for (const [stateOnStartup, status] of [
      ['started', 'STARTED'],
      ['loaded', 'LOADED'],
      ['unloaded', 'UNLOADED'],
    ] as const) {
      await instance.upload(packageZip({ name: stateOnStartup, stateOnStartup }), '')
      expect((await instance.settled(stateOnStartup)).status).toBe(status)
    }
  })

  it('packages keep their state over a restart', async () => {
    for (const name of ['started', 'stopped', 'unloaded']) await instance.upload(packageZip({ name }))
    await change('stop', 'stopped')
    await change('unload', 'unloaded')
    await instance.restart()
    const states = async () => {
      const { items }: { items: { name: string; status: string }[] } = JSON.parse(
        await (await instance.manage('GET', '/esbapi/packages')).text(),
      )
      return items.map(({ name, status }) => [name, status])
    }
    expect(await states()).toEqual([
      ['core', 'STARTED'],
      ['started', 'STARTED'],
      ['stopped', 'LOADED'],
      ['unloaded', 'UNLOADED'],
    ])
    expect([await runningVersion('started'), await runningVersion('stopped')]).toEqual(['1.0.0', 404])
  })

  it('packages answer until their replacement is ready', async () => {
    await instance.upload(packageZip())
    await instance.settled('shop')
    const { promise, resolve: open } = Promise.withResolvers<void>()
    engines.waitsFor = promise
    expect((await instance.upload(packageZip({ version: '1.1.0' }))).status).toBe(200)
    const during = await (await instance.manage('GET', '/esbapi/packages/shop')).json()
    expect(during).toMatchObject({ version: '1.1.0', status: 'STARTING', runningVersion: '1.0.0' })
    const slow = instance.fetch('/probe/shop?wait=200')
    expect(await runningVersion()).toBe('1.0.0')
    open()
    expect(await instance.settled('shop')).toMatchObject({
      status: 'STARTED',
      version: '1.1.0',
      runningVersion: '1.1.0',
    })
    expect(await runningVersion()).toBe('1.1.0')
    // Requests to the previous version are still completed.
    expect(await (await slow).json()).toMatchObject({ result: { record: { version: '1.0.0' } } })
    await expect.poll(() => engines.opened.map(({ closed }) => closed)).toEqual([true, false])
    expect(zips()).toHaveLength(1)
  })

  it('packages keep running when their replacement fails, with a reason', async () => {
    await instance.upload(packageZip())
    await instance.settled('shop')
    const before = zips()
    engines.failure = new OperationError({ kind: 'invalid', message: 'Its tables are not there.' })
    await instance.upload(packageZip({ version: '2.0.0' }))
    expect(await instance.settled('shop')).toMatchObject({
      status: 'START_FAILED',
      version: '2.0.0',
      reason: 'Its tables are not there.',
      runningVersion: '1.0.0',
    })
    expect(await runningVersion()).toBe('1.0.0')
    expect(zips()).toEqual(before)
    engines.failure = null
    expect(await change('start')).toEqual([202, 'STARTED'])
    await instance.restart()
    expect(await runningVersion()).toBe('1.0.0')
  })

  it('packages fail without affecting others and without revealing internals', async () => {
    await instance.upload(packageZip({ name: 'good' }))
    await instance.settled('good')
    engines.failure = new Error('SELECT secret FROM /etc/passwd')
    await instance.upload(packageZip({ name: 'bad' }))
    const bad = await instance.settled('bad')
    expect(bad).toMatchObject({ status: 'START_FAILED', runningVersion: null })
    expect(bad.reason).toBe('Something went wrong in the instance. See its log.')
    expect([await runningVersion('good'), await runningVersion('bad')]).toEqual(['1.0.0', 404])
    engines.failure = null
    expect(await change('start', 'bad')).toEqual([202, 'STARTED'])
  })

  it('packages fail alone if their files are damaged, and are repaired by the next upload', async () => {
    for (const name of ['good', 'torn', 'gone', 'shop']) await instance.upload(packageZip({ name }))
    await Promise.all(['good', 'torn', 'gone', 'shop'].map(instance.settled))
    const folder = (name: string) => join(instance.dataDir, 'packages', name)
    for (const name of ['shop', 'gone']) {
      const [file = ''] = readdirSync(folder(name)).filter(entry => entry.endsWith('.package'))
      if (name === 'shop') writeFileSync(join(folder(name), file), 'nothing')
      else rmSync(join(folder(name), file))
    }
    writeFileSync(join(folder('torn'), 'state.json'), '{"file"')
    await instance.restart()
    for (const name of ['shop', 'gone']) {
      expect(await instance.settled(name)).toMatchObject({ status: 'LOAD_FAILED', runningVersion: null })
    }
    expect((await instance.manage('GET', '/esbapi/packages/torn')).status).toBe(404)
    expect(readdirSync(folder('torn'))).toHaveLength(2)
    expect(await runningVersion('good')).toBe('1.0.0')
    for (const name of ['shop', 'gone', 'torn']) {
      await instance.upload(packageZip({ name, version: '1.1.0' }))
      expect(await instance.settled(name)).toMatchObject({ status: 'STARTED', version: '1.1.0' })
      expect(readdirSync(folder(name))).toHaveLength(2)
    }
  })

  it('packages of one zip are uploaded as a whole or not at all', async () => {
    const both = new Map([...packageFiles({ name: 'one' }), ...packageFiles({ name: 'two' })])
    const answer = await instance.upload(writeArchive(both))
    expect(await answer.json()).toMatchObject([{ name: 'one' }, { name: 'two' }])
    await Promise.all(['one', 'two'].map(instance.settled))
    await instance.restart()
    expect([await runningVersion('one'), await runningVersion('two')]).toEqual(['1.0.0', '1.0.0'])
    const broken = new Map([...packageFiles({ name: 'three' }), ['four/conf/package.xml', '<package/>']])
    expect((await instance.upload(writeArchive(broken))).status).toBe(400)
    expect((await instance.manage('GET', '/esbapi/packages/three')).status).toBe(404)
  })

  it('packages are refused if their name or addresses are taken', async () => {
    await instance.upload(packageZip({ name: 'a-b' }), 'stateOnCreate=LOADED')
    for (const [name, query, status] of [
      ['a-b', '', 409],
      ['a-b', 'replaceExisting=false', 409],
      ['a_b', 'replaceExisting=true', 409],
      ['A-B', 'replaceExisting=true', 409],
      ['core', 'replaceExisting=true', 409],
      ['a-b', 'replaceExisting=true', 200],
      ['ab', 'stateOnCreate=SOMETHING', 400],
    ] as const) {
      expect([name, query, (await instance.upload(packageZip({ name }), query)).status]).toEqual([name, query, status])
    }
    for (const word of ['start', 'stop', 'load', 'unload']) {
      expect((await instance.manage('PUT', `/esbapi/packages/core/${word}`)).status).toBe(409)
    }
    expect((await instance.manage('DELETE', '/esbapi/packages/core')).status).toBe(409)
  })

  it('packages are unaffected by truncated, invalid and hostile uploads', async () => {
    await instance.upload(packageZip())
    await instance.settled('shop')
    const before = zips()
    await cutOff(instance.context.port, packageZip({ version: '1.1.0' }))
    const escaping = new Map([...packageFiles(), ['../shop/x', 'x']])
    const outside = new Map([...packageFiles(), ['x', 'x']])
    const dense = new Map([...packageFiles(), ['shop/zeros', '0'.repeat(30_000_000)]])
    for (const zip of [Buffer.from('no zip'), new Uint8Array(), ...[escaping, outside, dense].map(writeArchive)]) {
      const answer = await instance.upload(zip)
      const { message }: { message: string } = JSON.parse(await answer.text())
      expect([answer.status, message]).toEqual([400, expect.stringMatching(/^[A-Z'].*\.$/)])
    }
    expect(await runningVersion()).toBe('1.0.0')
    expect(zips()).toEqual(before)
    expect((await instance.manage('POST', '/esbapi/packages/upload', {})).status).toBe(415)
    const form = new FormData()
    form.set('other', new Blob(['x']), 'x.zip')
    expect((await instance.manage('POST', '/esbapi/packages/upload', form)).status).toBe(400)
  })

  it('packages are stored encrypted', async () => {
    const properties = ['database.name=shop', 'database.type=postgres', 'postgres.password=hush-hush']
    await instance.upload(packageZip({ properties }), 'stateOnCreate=LOADED')
    const [file = ''] = zips()
    const bytes = readFileSync(join(instance.dataDir, 'packages', 'shop', file))
    expect([bytes.includes('hush-hush'), bytes.includes('package.xml')]).toEqual([false, false])
    expect(instance.log.join()).not.toContain('hush-hush')
  })

  it('packages run on the named or described database, or else on their own file', async () => {
    const server = { url: 'jdbc:postgresql://db.example:5432/shop', username: 'keeper', password: 'hush' }
    await instance.manage('POST', '/esbapi/databases', { name: 'known', ...server })
    const described = (password: string) => [
      'database.type=postgres',
      'postgres.connection.url=jdbc:postgresql://db.example:5433/shop',
      'postgres.username=keeper',
      `postgres.password=${password}`,
    ]
    const place = { dialect: 'postgresql', host: 'db.example', database: 'shop', username: 'keeper' }
    const cases: [string, string[], unknown][] = [
      ['named', ['database.name=known', ...described('x')], { ...place, port: 5432, password: 'hush' }],
      ['described', described('open sesame'), { ...place, port: 5433, password: 'open sesame' }],
      ['embedded', ['database.name=embedded', 'database.type=hsql'], fileOf('embedded')],
    ]
    for (const [name, properties, database] of cases) {
      await instance.upload(packageZip({ name, properties }))
      expect([name, (await instance.settled(name)).status]).toEqual([name, 'STARTED'])
      expect([name, engines.opened.at(-1)?.database]).toEqual([name, database])
    }
    // The placeholder address of a template chooses no database.
    const unchosen = { name: 'unchosen', configuration: { connection: { databaseName: '', url: '' } } }
    await instance.upload(packageZip({ ...unchosen, properties: described('${database.password}') }))
    expect((await instance.settled('unchosen')).status).toBe('STARTED')
    expect(engines.opened.at(-1)?.database).toEqual(fileOf('unchosen'))
    await instance.upload(packageZip({ name: 'locked', properties: described('${database.password}') }))
    expect((await instance.settled('locked')).reason).toMatch(/^The package has no database password/)
  })
  const fileOf = (name: string) => ({
    dialect: 'sqlite',
    file: join(instance.dataDir, 'databases', name, 'embedded.sqlite'),
  })

  it('packages are uploaded while previews of others wait for databases, two at a time', async () => {
    const waiting = new Set<Socket>()
    const server = createServer(socket => void waiting.add(socket))
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('No port.')
    const place = { host: '127.0.0.1', port: address.port, database: 'shop', password: 'secret' }
    const zipOf = (username: string) =>
      packageZip({ name: username, properties: propertiesOf({ dialect: 'postgresql', ...place, username }) })
    const previews = ['ann', 'bob'].map(user => instance.preview(zipOf(user)))
    await expect.poll(() => waiting.size).toBe(2)
    expect((await instance.preview(zipOf('carl'))).status).toBe(429)
    expect((await instance.upload(packageZip())).status).toBe(200)
    for (const socket of waiting) socket.destroy()
    for (const preview of previews) expect((await preview).status).toBe(200)
    await new Promise(resolve => server.close(resolve))
  })

  it('packages retry by themselves after their database was unavailable', async () => {
    engines.failure = new OperationError({ kind: 'unavailable', message: 'The database is away.' })
    await instance.upload(packageZip())
    expect(await instance.settled('shop')).toMatchObject({ status: 'START_FAILED', reason: 'The database is away.' })
    engines.failure = null
    instance.advance(pastRetry)
    await expect.poll(() => runningVersion()).toBe('1.0.0')
  })

  it('packages retry with the version uploaded during the outage, also after a restart', async () => {
    engines.failure = new OperationError({ kind: 'unavailable', message: 'The database is away.' })
    await instance.upload(packageZip())
    await instance.settled('shop')
    await instance.upload(packageZip({ version: '2.0.0' }))
    const failed = { status: 'START_FAILED', version: '2.0.0', reason: 'The database is away.' }
    expect(await instance.settled('shop')).toMatchObject({ ...failed, runningVersion: null })
    await instance.restart()
    expect(await instance.settled('shop')).toMatchObject({ ...failed, runningVersion: null })
    engines.failure = null
    instance.advance(pastRetry)
    await expect.poll(() => runningVersion()).toBe('2.0.0')
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', runningVersion: '2.0.0' })
    // The previous version never had tables.
    expect(engines.opened.map(({ version }) => version)).toEqual(['2.0.0'])
  })

  it('a failed start is not retried if the database rejects the credentials', async () => {
    engines.failure = new SignInError()
    await instance.upload(packageZip({ name: 'locked' }))
    const { message: reason } = new SignInError().fault
    expect(await instance.settled('locked')).toMatchObject({ status: 'START_FAILED', reason })
    engines.failure = new OperationError({ kind: 'unavailable', message: 'The database is away.' })
    await instance.upload(packageZip())
    await instance.settled('shop')
    engines.failure = null
    instance.advance(pastRetry)
    await expect.poll(() => runningVersion()).toBe('1.0.0')
    expect(await instance.settled('locked')).toMatchObject({ status: 'START_FAILED', reason })
    expect(await change('start', 'locked')).toEqual([202, 'STARTED'])
  })
})

/** Sends half of an upload and closes the connection. */
function cutOff(port: number, zip: Uint8Array): Promise<void> {
  return new Promise(resolve => {
    const head = `--cut\r\nContent-Disposition: form-data; name="file"; filename="p.zip"\r\nContent-Type: application/zip\r\n\r\n`
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `POST /esbapi/packages/upload?stateOnCreate=STARTED&replaceExisting=true HTTP/1.1\r\nHost: localhost:${port}\r\n` +
          `Authorization: Bearer ${consoleSecret}\r\nContent-Type: multipart/form-data; boundary=cut\r\n` +
          `Content-Length: ${zip.length + 500}\r\n\r\n${head}`,
      )
      socket.write(zip.subarray(0, zip.length / 2))
      setTimeout(() => socket.destroy(), 100)
    })
    socket.once('close', () => setTimeout(resolve, 100))
  })
}
