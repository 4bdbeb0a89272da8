import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { writeArchive } from '@cadmus/formats/archive'
import { writePackage } from '@cadmus/formats/package/write'
import { aConfiguration } from '@cadmus/formats/testing/built-packages'
import { aClosure, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import type { EntityNode } from '@cadmus/model/entity'
import { type InstanceServer, startInstance } from '@cadmus/testing/instance'
import { removeFolder, temporaryFolder, waitFor } from '@cadmus/testing/temporary'
import { machine } from './machine.ts'

// What an instance needs that is started as `npm run instance` starts it: at its very first start, at its next one, and with so many
// packages on its embedded database: `node bench/src/instance-start.ts [packages] [entities of each]`. Figures of the instance's own
// process: the most memory that it ever had (VmHWM), its processor time, and how long it took until it answered, all packages started.

const root = resolve(import.meta.dirname, '../..')
const packages = Number(process.argv[2] ?? 200)
const entities = Number(process.argv[3] ?? 50)

type Started = InstanceServer & { seconds: number }

const dataDir = temporaryFolder('instance-start')
console.log(`${machine()}; load ${loadavg()[0]?.toFixed(1)}\n`)
console.log('| What | Until it answers | Processor time | Most memory |\n|---|---|---|---|')
// Built before, so that only the instance is measured; what was compiled for earlier starts is not there.
execFileSync(process.execPath, [join(root, 'scripts/build.ts')])
rmSync(join(root, 'node_modules/.cache/cadmus-compiled'), { recursive: true, force: true })
for (const what of ['very first start', 'next start']) {
  const instance = await started()
  await wait(2000)
  tell(`fresh, ${what}`, instance)
  await instance.stop()
}
const configuration = aConfiguration({ connection: { type: 'HSQL', databaseName: 'embedded' } })
const filled = await started()
for (let at = 0; at < packages; at += 10) await upload(filled, at)
tell(`${packages} packages of ${entities} entities, just uploaded`, filled)
await filled.stop()
const full = await started()
await waitFor(() => expectAll(full), 60_000, 50)
tell(`started with ${packages} packages`, full)
await full.stop()
removeFolder(dataDir)

async function started(): Promise<Started> {
  const began = performance.now()
  const instance = await startInstance({ CADMUS_INSTANCE_DATA_DIR: dataDir }, 'scripts/instance.ts')
  const seconds = (performance.now() - began) / 1000
  // What was started is the script; the instance is a process of its own.
  const [pid = 0] = readFileSync(`/proc/${instance.pid}/task/${instance.pid}/children`, 'utf8').split(' ').map(Number)
  return { ...instance, pid, seconds }
}

/** Ten packages in one zip, each under a name of its own. */
async function upload(instance: Started, from: number): Promise<void> {
  const files = new Map<string, string>()
  const end = Math.min(from + 10, packages)
  for (let at = from; at < end; at += 1) {
    const source = { name: `package${at}`, version: '1.0.0', manifestVersion: '1.0.0', organisation: 'ACME' }
    for (const [path, text] of writePackage({ ...source, closure: model(), configuration })) files.set(path, text)
  }
  await instance.upload(writeArchive(files), `package${end - 1}`)
  await waitFor(() => expectAll(instance, end), 120_000, 50)
}

/** An upload is answered before its packages run. */
async function expectAll({ manage }: Started, count = packages): Promise<void> {
  const answer = await manage('GET', '/esbapi/packages?size=1000')
  const { items }: { items: { status: string }[] } = await answer.json()
  const running = items.filter(({ status }) => status === 'STARTED').length
  // The instance itself is one of them.
  if (running <= count) throw new Error(`${running - 1} of ${count} packages run.`)
}

/** Of twenty attributes each, and each but the first refers to the one before. */
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
  return aClosure(all)
}

function tell(what: string, { pid, seconds }: Started): void {
  const memory = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  // In hundredths of a second.
  const processor = (Number(fields[11]) + Number(fields[12])) / 100
  const megabytes = Math.round(Number(memory) / 1024)
  console.log(`| ${what} | ${seconds.toFixed(1)} s | ${processor.toFixed(1)} s | ${megabytes} MB |`)
}
