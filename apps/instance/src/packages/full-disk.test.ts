import { makeSmallDisk, smallDiskAvailability } from '@cadmus/testing/small-disk'
import { expect, it } from 'vitest'
import { startTestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'
import { probe, probeEngines } from '../testing/probe.ts'

it.skipIf(!smallDiskAvailability().present)(
  'a full disk refuses uploads with a message, while running packages continue and later uploads succeed',
  async () => {
    const disk = makeSmallDisk(2_000_000)
    const { openEngine } = probeEngines()
    const env = { CADMUS_INSTANCE_DATA_DIR: disk.folder }
    const instance = await startTestInstance({ env, openEngine, protocols: [probe] })
    await instance.upload(packageZip())
    await instance.settled('shop')
    for (const left of [0, 4096, 12_288]) {
      disk.fill(left)
      const files = {
        'code/random.txt': Buffer.from(crypto.getRandomValues(new Uint8Array(48_000))).toString('base64'),
      }
      for (const name of ['shop', 'other']) {
        const full = await instance.upload(packageZip({ name, version: '2.0.0', files }))
        expect([full.status, await full.json()]).toEqual([
          507,
          { result: 'ERROR', message: 'The disk of the instance is full.' },
        ])
      }
      expect((await instance.manage('GET', '/esbapi/packages/other')).status).toBe(404)
      const answer = await (await instance.fetch('/probe/shop')).json()
      expect(answer).toMatchObject({ result: { record: { version: '1.0.0' } } })
      disk.clear()
    }
    const groups = Array.from({ length: 50 }, () => 'x'.repeat(400))
    disk.fill()
    for (const [path, body] of [
      ['users', { name: 'ann', password: 'long enough a password', groups }],
      ['databases', { name: 'far', url: 'jdbc:postgresql://db/far', password: 'x'.repeat(1000) }],
    ] as const) {
      const full = await instance.manage('POST', `/esbapi/${path}`, body)
      expect([path, full.status, await full.json()]).toEqual([
        path,
        507,
        { result: 'ERROR', message: 'The disk of the instance is full.' },
      ])
    }
    disk.clear()
    await instance.restart()
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', version: '1.0.0' })
    expect((await instance.upload(packageZip({ version: '3.0.0' }))).status).toBe(200)
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', version: '3.0.0' })
    await instance.stop()
    disk.remove()
  },
)
