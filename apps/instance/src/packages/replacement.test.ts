import { writeArchive } from '@cadmus/formats/archive'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OpenEngine } from '../engine/engine.ts'
import { OperationError, SchemaError, SignInError } from '../engine/errors.ts'
import { pastRetry, startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageFiles, packageZip } from '../testing/package-zip.ts'
import { probe, probeEngines, type ProbeEngines } from '../testing/probe.ts'
import { PackageFolder } from './package-folder.ts'

describe('existing packages', () => {
  let instance: TestInstance
  let engines: ProbeEngines
  /** The version whose tables do not fit. */
  let refusedVersion = ''
  beforeEach(async () => {
    engines = probeEngines()
    refusedVersion = ''
    const openEngine: OpenEngine = async (model, database, options) => {
      if (engines.failure !== null && model.version === '2.0.0') {
        await options.beforeChanges()
        if (options.allowDataLoss) options.beforeCommit()
      }
      const engine = await engines.openEngine(model, database, options)
      if (model.version === refusedVersion) throw new SchemaError('The tables do not fit.')
      return engine
    }
    instance = await startTestInstance({ openEngine, protocols: [probe] })
  })
  afterEach(() => instance.stop())

  /** The version that answers, or the error status. */
  async function runningVersion(): Promise<unknown> {
    const answer = await instance.fetch('/probe/shop')
    const body: { result: { record: { version: string } } } = JSON.parse(await answer.text())
    return answer.ok ? body.result.record.version : answer.status
  }

  it('packages refuse uploads while they are being deleted', async () => {
    await instance.upload(packageZip())
    await instance.settled('shop')
    const slow = instance.fetch('/probe/shop?wait=500')
    expect(await runningVersion()).toBe('1.0.0')
    const deleted = instance.manage('DELETE', '/esbapi/packages/shop')
    await expect.poll(() => runningVersion()).toBe(404)
    const early = await instance.upload(packageZip({ version: '2.0.0' }))
    expect([early.status, await early.json()]).toMatchObject([
      409,
      { message: "The package 'shop' is being deleted. Try again in a moment." },
    ])
    expect([(await slow).status, (await deleted).status]).toEqual([200, 204])
    expect((await instance.upload(packageZip({ version: '2.0.0' }))).status).toBe(200)
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', version: '2.0.0' })
  })

  it('packages whose files could not be removed are kept and can be deleted later', async () => {
    await instance.upload(packageZip())
    await instance.settled('shop')
    const removing = vi.spyOn(PackageFolder.prototype, 'remove').mockImplementationOnce(() => {
      throw new Error('EACCES')
    })
    const refused = await instance.manage('DELETE', '/esbapi/packages/shop')
    removing.mockRestore()
    expect(refused.status).toBe(500)
    const answer = await refused.text()
    expect(answer).not.toContain('EACCES')
    // The log contains the answered id and the caller.
    const [, id = ''] = /\((\S+)\)/.exec(answer) ?? []
    const logged = instance.log.filter(line => line.includes(id)).join('')
    expect(logged).toContain('EACCES')
    expect(logged).toContain('"manager":"console"')
    expect(await instance.settled('shop')).toMatchObject({ status: 'UNLOADED', version: '1.0.0' })
    await instance.manage('PUT', '/esbapi/packages/shop/start')
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED' })
    expect((await instance.manage('DELETE', '/esbapi/packages/shop')).status).toBe(204)
    expect((await instance.manage('GET', '/esbapi/packages/shop')).status).toBe(404)
    await instance.restart()
    expect((await instance.manage('GET', '/esbapi/packages/shop')).status).toBe(404)
  })

  it('packages are unaffected by a new package that the disk has no space for', async () => {
    const committing = vi.spyOn(PackageFolder.prototype, 'commit').mockImplementationOnce(() => {
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    })
    const refused = await instance.upload(packageZip())
    committing.mockRestore()
    expect([refused.status, await refused.json()]).toEqual([
      507,
      { result: 'ERROR', message: 'The disk of the instance is full.' },
    ])
    expect((await instance.manage('GET', '/esbapi/packages/shop')).status).toBe(404)
    expect(readdirSync(join(instance.dataDir, 'packages'))).toEqual([])
    expect((await instance.upload(packageZip())).status).toBe(200)
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED' })
  })

  it('packages of one zip are refused as a whole if the disk has no space for one of them', async () => {
    await instance.upload(packageZip())
    await instance.settled('shop')
    const names = ['one', 'shop', 'three', 'two']
    const all = new Map(names.flatMap(name => [...packageFiles({ name, version: '3.0.0' })]))
    const { commit } = PackageFolder.prototype
    const committing = vi.spyOn(PackageFolder.prototype, 'commit').mockImplementation(function (
      this: PackageFolder,
      name,
      state,
    ) {
      if (name === 'three') throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
      commit.call(this, name, state)
    })
    expect((await instance.upload(writeArchive(all))).status).toBe(507)
    committing.mockRestore()
    for (const name of ['one', 'two', 'three'])
      expect((await instance.manage('GET', `/esbapi/packages/${name}`)).status).toBe(404)
    expect(await runningVersion()).toBe('1.0.0')
    const folder = join(instance.dataDir, 'packages')
    expect([readdirSync(folder), readdirSync(join(folder, 'shop')).length]).toEqual([['shop'], 2])
    expect((await instance.upload(writeArchive(all))).status).toBe(200)
  })

  it('packages are replaced, also for later starts, beside a file that cannot be removed', async () => {
    await instance.upload(packageZip())
    await instance.settled('shop')
    mkdirSync(join(instance.dataDir, 'packages', 'shop', 'folder'))
    await instance.upload(packageZip({ version: '3.0.0' }))
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', version: '3.0.0' })
    await instance.restart()
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', version: '3.0.0' })
  })

  it('packages are replaced in sequence by concurrent uploads, the last of which survives a restart', async () => {
    await instance.upload(packageZip())
    await instance.settled('shop')
    const { promise, resolve } = Promise.withResolvers<void>()
    engines.waitsFor = promise
    for (const version of ['2.0.0', '3.0.0']) {
      expect((await instance.upload(packageZip({ version }))).status).toBe(200)
    }
    resolve()
    await expect.poll(() => runningVersion()).toBe('3.0.0')
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', version: '3.0.0' })
    await instance.restart()
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', version: '3.0.0' })
    expect(await runningVersion()).toBe('3.0.0')
  })

  it('packages keep running while a replacement cannot commit its tables, which is retried', async () => {
    await instance.upload(packageZip())
    await instance.settled('shop')
    engines.failure = new OperationError({ kind: 'unavailable', message: 'The database is full.' })
    await instance.upload(packageZip({ version: '2.0.0' }), 'replaceExisting=true&allowDataLoss=true')
    const failed = { status: 'START_FAILED', version: '2.0.0', reason: 'The database is full.' }
    expect(await instance.settled('shop')).toMatchObject({ ...failed, runningVersion: '1.0.0' })
    expect(await runningVersion()).toBe('1.0.0')
    engines.failure = null
    instance.advance(pastRetry)
    await expect.poll(() => runningVersion()).toBe('2.0.0')
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', runningVersion: '2.0.0' })
  })

  it('packages keep running while the database of a replacement is unavailable, which is retried, also after a restart', async () => {
    await instance.upload(packageZip())
    await instance.settled('shop')
    const away = new OperationError({ kind: 'unavailable', message: 'The database is away.' })
    engines.failure = away
    await instance.upload(packageZip({ version: '1.1.0' }))
    const failed = { status: 'START_FAILED', version: '1.1.0', reason: 'The database is away.' }
    expect(await instance.settled('shop')).toMatchObject({ ...failed, runningVersion: '1.0.0' })
    expect(await runningVersion()).toBe('1.0.0')
    engines.failure = null
    instance.advance(pastRetry)
    await expect.poll(() => runningVersion()).toBe('1.1.0')
    engines.failure = away
    await instance.upload(packageZip({ version: '1.2.0' }))
    await instance.settled('shop')
    await instance.restart()
    expect(await instance.settled('shop')).toMatchObject({ status: 'START_FAILED', version: '1.2.0' })
    engines.failure = null
    instance.advance(pastRetry)
    await expect.poll(() => runningVersion()).toBe('1.2.0')
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', runningVersion: '1.2.0' })
    expect(readdirSync(join(instance.dataDir, 'packages', 'shop'))).toHaveLength(2)
  })

  it('packages keep running when a replacement fails permanently', async () => {
    await instance.upload(packageZip())
    await instance.settled('shop')
    engines.failure = new Error('defect')
    await instance.upload(packageZip({ version: '1.1.0' }))
    expect(await instance.settled('shop')).toMatchObject({ status: 'START_FAILED', runningVersion: '1.0.0' })
    engines.failure = null
    await instance.restart()
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', version: '1.0.0' })
  })

  it('packages run again after a restart beside a loaded version, even if their database is available only later', async () => {
    await instance.upload(packageZip())
    await instance.settled('shop')
    await instance.upload(packageZip({ version: '2.0.0' }), 'stateOnCreate=LOADED&replaceExisting=true')
    await instance.settled('shop')
    engines.failure = new OperationError({ kind: 'unavailable', message: 'The database is away.' })
    await instance.restart()
    const loaded = { status: 'LOADED', version: '2.0.0' }
    expect(await instance.settled('shop')).toMatchObject({ ...loaded, runningVersion: null })
    expect(await runningVersion()).toBe(404)
    engines.failure = null
    instance.advance(pastRetry)
    await expect.poll(() => runningVersion()).toBe('1.0.0')
    expect(await instance.settled('shop')).toMatchObject({ ...loaded, runningVersion: '1.0.0' })
    // A started replacement removes the previous version.
    await instance.manage('PUT', '/esbapi/packages/shop/start')
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', runningVersion: '2.0.0' })
    await instance.restart()
    expect(await runningVersion()).toBe('2.0.0')
    expect(readdirSync(join(instance.dataDir, 'packages', 'shop'))).toHaveLength(2)
  })

  it('packages run again if a loaded version started after a restart fails because the database refuses its sign-in', async () => {
    await instance.upload(packageZip())
    await instance.settled('shop')
    await instance.upload(packageZip({ version: '2.0.0' }), 'stateOnCreate=LOADED&replaceExisting=true')
    await instance.settled('shop')
    engines.failure = new SignInError()
    await instance.restart()
    expect(await instance.settled('shop')).toMatchObject({ status: 'LOADED', runningVersion: null })
    engines.failure = null
    refusedVersion = '2.0.0'
    await instance.manage('PUT', '/esbapi/packages/shop/start')
    const failed = { status: 'START_FAILED', version: '2.0.0', reason: 'The tables do not fit.' }
    expect(await instance.settled('shop')).toMatchObject({ ...failed, runningVersion: '1.0.0' })
    expect(await runningVersion()).toBe('1.0.0')
  })

  it('packages keep running if the database refuses the sign-in of a replacement, which must be uploaded again', async () => {
    await instance.upload(packageZip())
    await instance.settled('shop')
    engines.failure = new SignInError()
    await instance.upload(packageZip({ version: '2.0.0' }))
    const reason = expect.stringMatching(/Correct its name, user or password, then upload it again\.$/)
    expect(await instance.settled('shop')).toMatchObject({ status: 'START_FAILED', reason, runningVersion: '1.0.0' })
  })

  it('packages serve a request on the version it started on until it ends, however long that takes', async () => {
    const waiting = Promise.withResolvers<void>()
    const { openEngine } = engines
    let isWaiting = false
    Object.assign(engines, {
      async openEngine(...options: Parameters<OpenEngine>) {
        const engine = await openEngine(...options)
        if (options[0].version !== '1.0.0') return engine
        return {
          ...engine,
          async run(...args: Parameters<typeof engine.run>) {
            isWaiting = true
            await waiting.promise
            return engine.run(...args)
          },
        }
      },
    })
    await instance.upload(packageZip())
    await instance.settled('shop')
    const slow = runningVersion()
    await expect.poll(() => isWaiting).toBe(true)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    try {
      await instance.upload(packageZip({ version: '2.0.0' }))
      expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', version: '2.0.0' })
      expect(await runningVersion()).toBe('2.0.0')
      await vi.advanceTimersByTimeAsync(120_000)
    } finally {
      vi.useRealTimers()
    }
    expect(engines.opened[0]).toMatchObject({ version: '1.0.0', closed: false })
    waiting.resolve()
    expect(await slow).toBe('1.0.0')
    await expect.poll(() => engines.opened[0]?.closed).toBe(true)
  })

  it('packages are not started by queued retries after they were unloaded', async () => {
    await instance.upload(packageZip())
    await instance.settled('shop')
    await instance.upload(packageZip({ version: '2.0.0' }), 'stateOnCreate=LOADED&replaceExisting=true')
    await instance.settled('shop')
    engines.failure = new OperationError({ kind: 'unavailable', message: 'The database is away.' })
    await instance.manage('PUT', '/esbapi/packages/shop/start')
    expect(await instance.settled('shop')).toMatchObject({ status: 'START_FAILED', runningVersion: '1.0.0' })
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      await instance.restart()
      expect(await instance.settled('shop')).toMatchObject({ status: 'START_FAILED', runningVersion: null })
      // The database does not answer, so retries and requests queue up.
      const { promise, resolve } = Promise.withResolvers<void>()
      engines.waitsFor = promise
      engines.failure = null
      instance.advance(4000)
      vi.advanceTimersByTime(4000)
      await instance.manage('PUT', '/esbapi/packages/shop/unload')
      vi.advanceTimersByTime(40_000)
      const before = engines.opened.length
      resolve()
      // The restart waits for all queued tasks.
      await instance.restart()
      expect(engines.opened.slice(before).map(({ version }) => version)).toEqual(['1.0.0', '2.0.0'])
      expect(await instance.settled('shop')).toMatchObject({ status: 'UNLOADED', runningVersion: null })
    } finally {
      vi.useRealTimers()
    }
  })

  it('packages are not replaced by a package of another owner with the same name', async () => {
    await instance.upload(packageZip())
    await instance.settled('shop')
    const other = await instance.upload(packageZip({ organisation: 'globex', version: '2.0.0' }))
    expect([other.status, await other.json()]).toEqual([
      409,
      {
        result: 'ERROR',
        message: "The name 'shop' belongs to a package of another owner. Choose another name.",
      },
    ])
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', version: '1.0.0' })
    expect(await runningVersion()).toBe('1.0.0')
    expect((await instance.upload(packageZip({ version: '1.1.0' }))).status).toBe(200)
  })
})
