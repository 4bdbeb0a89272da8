import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { writeArchive } from '@cadmus/formats/archive'
import { writePackage } from '@cadmus/formats/package/write'
import { aConfiguration } from '@cadmus/formats/testing/built-packages'
import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import type { EntityNode } from '@cadmus/model/entity'
import { type InstanceServer, startInstance } from '@cadmus/testing/instance'
import { removeFolder, temporaryFolder, waitFor } from '@cadmus/testing/temporary'
import { machine } from './machine.ts'

// Measures an instance started like `npm run instance`: its very first start, the next one, and one with packages on
// the embedded database: `node bench/src/instance-start.ts [packages] [entities of each]`. Reports peak memory (VmHWM),
// processor time and the time until it answers with all packages started.

const root = resolve(import.meta.dirname, '../..')
const packages = Number(process.argv[2] ?? 200)
const entities = Number(process.argv[3] ?? 50)

type Started = InstanceServer & { seconds: number }

const dataDir = temporaryFolder('instance-start')
console.log(`${machine()}; load ${loadavg()[0]?.toFixed(1)}\n`)
console.log('| What | Until it answers | Processor time | Most memory |\n|---|---|---|---|')
// Built in advance to measure only the instance; the compile cache of earlier starts is removed.
execFileSync(process.execPath, [join(root, 'scripts/build.ts')])
rmSync(join(root, 'node_modules/.cache/cadmus-compiled'), { recursive: true, force: true })
for (const what of ['very first start', 'next start']) {
  const instance = await startMeasured()
  await wait(2000)
  printRow(`fresh, ${what}`, instance)
  await instance.stop()
}
const configuration = aConfiguration({ connection: { type: 'HSQL', databaseName: 'embedded' } })
const filled = await startMeasured()
for (let at = 0; at < packages; at += 10) await upload(filled, at)
printRow(`${packages} packages of ${entities} entities, just uploaded`, filled)
await filled.stop()
const full = await startMeasured()
await waitFor(() => expectAll(full), 60_000, 50)
printRow(`started with ${packages} packages`, full)
await full.stop()
removeFolder(dataDir)

async function startMeasured(): Promise<Started> {
  const began = performance.now()
  const instance = await startInstance({ CADMUS_INSTANCE_DATA_DIR: dataDir }, 'scripts/instance.ts')
  const seconds = (performance.now() - began) / 1000
  // The started process is the script; the instance is its child.
  const [pid = 0] = readFileSync(`/proc/${instance.pid}/task/${instance.pid}/children`, 'utf8').split(' ').map(Number)
  return { ...instance, pid, seconds }
}

/** Uploads ten packages with distinct names in one zip. */
async function upload(instance: Started, from: number): Promise<void> {
  const files = new Map<string, string>()
  const end = Math.min(from + 10, packages)
  for (let at = from; at < end; at += 1) {
    const source = { name: `package${at}`, version: '1.0.0', manifestVersion: '1.0.0', organisation: 'ACME' }
    for (const [path, text] of writePackage({ ...source, resolvedModel: model(), configuration })) files.set(path, text)
  }
  await instance.upload(writeArchive(files), `package${end - 1}`)
  await waitFor(() => expectAll(instance, end), 120_000, 50)
}

/** An upload is answered before its packages run. */
async function expectAll({ manage }: Started, count = packages): Promise<void> {
  const answer = await manage('GET', '/esbapi/packages?size=1000')
  const { items }: { items: { status: string }[] } = await answer.json()
  const running = items.filter(({ status }) => status === 'STARTED').length
  // The instance itself is listed as well.
  if (running <= count) throw new Error(`${running - 1} of ${count} packages run.`)
}

/** Entities of twenty attributes; each refers to the previous one. */
function model() {
  const all: EntityNode[] = []
  for (let number = 0; number < entities; number += 1) {
    const before = all.at(-1)
    const attributes = Array.from({ length: 19 }, (_, at) => aTypeAttribute({ name: `attribute${at}`, maxLength: 100 }))
    all.push(
      anEntity({
        name: `Entity${number}`,
        typeAttributes: aList(aKey(), ...attributes),
        entityAttributes: before ? [aRelationship(before, { position: 30 })] : [],
      }),
    )
  }
  return aResolvedModel(all)
}

function printRow(what: string, { pid, seconds }: Started): void {
  const memory = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  // In hundredths of a second.
  const processor = (Number(fields[11]) + Number(fields[12])) / 100
  const megabytes = Math.round(Number(memory) / 1024)
  console.log(`| ${what} | ${seconds.toFixed(1)} s | ${processor.toFixed(1)} s | ${megabytes} MB |`)
}
