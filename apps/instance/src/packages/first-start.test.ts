import { writeArchive } from '@cadmus/formats/archive'
import { type PackageModel, packageModelForm } from '@cadmus/model/api/package-model'
import { readStored } from '@cadmus/model/stored/stored-form'
import { mariadbAvailability } from '@cadmus/testing/availability'
import { type MariadbDatabase, startMariadb } from '@cadmus/testing/mariadb'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { propertiesOf, serverSettings } from '../testing/databases.ts'
import { type InstanceProcess, startInstanceProcess } from '../testing/instance-process.ts'
import { packageFiles } from '../testing/package-zip.ts'

const copies = 40
/** Including the tables of the shop and the table of packages. */
const allTables = copies + 4
const packageState = z.object({ status: z.string(), version: z.string(), reason: z.string().optional() })

it.skipIf(!mariadbAvailability().present)(
  'a start recovers from a kill (-9) during the first creation of tables',
  async () => {
    const { database, dataDir } = await killedBetween()
    const running = await startInstanceProcess(dataDir)
    expect(await settled(running)).toEqual({ status: 'STARTED', version: '1.0.0' })
    expect((await create(running, 'Ann')).status).toBe(200)
    expect(await tablesOf(database)).toHaveLength(allTables)
    await running.child.stop('SIGKILL')
    const again = await startInstanceProcess(dataDir)
    expect(await settled(again)).toEqual({ status: 'STARTED', version: '1.0.0' })
    expect(await database.query('SELECT name FROM `Customer`')).toEqual([{ name: 'Ann' }])
    await again.child.stop()
    removeFolder(dataDir)
    await database.drop()
  },
)

/** Kills an instance after some, but not all, tables are created. */
async function killedBetween() {
  const server = await startMariadb()
  for (;;) {
    const database = await server.createDatabase()
    const dataDir = temporaryFolder('instance-first-start')
    const zip = zipOf('1.0.0', propertiesOf(serverSettings('mysql', database.url)))
    const killed = await startInstanceProcess(dataDir)
    expect((await killed.upload(zip, 'stateOnCreate=STARTED')).status).toBe(200)
    await killed.once(async () => expect((await tablesOf(database)).length).toBeGreaterThan(5))
    await killed.child.stop('SIGKILL')
    if ((await tablesOf(database)).length < allTables) return { database, dataDir }
    removeFolder(dataDir)
    await database.drop()
  }
}

async function tablesOf(database: MariadbDatabase): Promise<unknown[]> {
  return database.query('SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()')
}

function settled({ manage, once }: InstanceProcess): Promise<unknown> {
  return once(async () => {
    const state = packageState.parse(await (await manage('/packages/shop')).json())
    if (state.status.endsWith('ING')) throw new Error(`It is ${state.status}.`)
    return state
  })
}

function create({ url }: InstanceProcess, name: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${url}/api/shop/1.0/customer`, { method: 'POST', headers, body: JSON.stringify({ name }) })
}

/** The shop with many further tables, which take a while to create. */
function zipOf(version: string, properties: readonly string[]): Uint8Array {
  const files = packageFiles({ version, properties })
  const path = 'shop/resources/cadmus/model.json'
  const model = readStored(packageModelForm, JSON.parse(files.get(path) ?? ''))
  return writeArchive(new Map([...files, [path, JSON.stringify(withCopies(model))] as const]))
}

function withCopies(model: PackageModel): PackageModel {
  const customer = model.entities.find(({ name }) => name === 'Customer')
  if (!customer) return model
  const more = Array.from({ length: copies }, (_, at) => ({
    ...customer,
    id: 1000 + at,
    uid: `01980000-0000-7000-8000-0000000${1000 + at}0`,
    name: `Copy${at}`,
    entityAttributes: [],
  }))
  const members = more.map(({ id }) => ({ id, type: 'EXCLUSIVE' as const }))
  const manifests = model.manifests.map(manifest =>
    manifest.id === model.root ? { ...manifest, entities: [...manifest.entities, ...members] } : manifest,
  )
  return { ...model, manifests, entities: [...model.entities, ...more] }
}
