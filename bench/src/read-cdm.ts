import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { readArchive } from '@cadmus/formats/archive'
import { readCdm } from '@cadmus/formats/cdm/read'
import { hasSharedCdm, sharedBytes } from '@cadmus/formats/testing/shared-cdm'
import { machine } from './machine.ts'

// Measures time and memory of reading real CDM folders, each in a cold process of its own, as a server's worker does:
// `node bench/src/read-cdm.ts`.

const archives = ['customer-insights-journeys', 'core-slice', 'core-applicationCommon-full']
const runs = 5
const [, , archive] = process.argv

if (archive !== undefined) console.log(JSON.stringify(measure(archive)))
else if (hasSharedCdm) printTable()
else console.log('The folder ../shared with the real archives is not here; nothing was measured.')

type Figures = { files: number; entities: number; attributes: number; wall: number; cpu: number; memory: number }

function printTable(): void {
  console.log(`${machine()}; the best of ${runs} processes\n`)
  console.log(
    '| Archive | Files | Entities | Attributes | Time | Processor time | Peak memory |\n|---|---|---|---|---|---|---|',
  )
  for (const name of archives) {
    const all = Array.from({ length: runs }, () => inOwnProcess(name))
    const least = (key: keyof Figures) => Math.min(...all.map(figures => figures[key]))
    const counts = [least('files'), least('entities'), least('attributes')].join(' | ')
    const [wall, cpu] = [least('wall'), least('cpu')].map(milliseconds => (milliseconds / 1000).toFixed(2))
    const memory = Math.max(...all.map(figures => figures.memory))
    console.log(`| ${name} | ${counts} | ${wall} s | ${cpu} s | ${memory} MB |`)
  }
}

function inOwnProcess(name: string): Figures {
  const { stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), name], { encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

/** Unpacks, reads and resolves; memory is measured for the whole process. */
function measure(name: string): Figures {
  const bytes = sharedBytes(`zips/${name}.zip`)
  const before = process.cpuUsage()
  const start = performance.now()
  const files = readArchive(bytes)
  const model = readCdm(files)
  const wall = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  const attributes = model.entities.reduce(
    (sum, entity) => sum + entity.typeAttributes.length + entity.entityAttributes.length,
    0,
  )
  const memory = Math.round(process.resourceUsage().maxRSS / 1024)
  return { files: files.size, entities: model.entities.length, attributes, wall, cpu: (user + system) / 1000, memory }
}
