import type { SharedEngine } from './broker.ts'
import { type ConsoleOptions, startConsole } from './console.ts'
import { startPostgres } from './postgres.ts'
import { testSecret } from './prepared.ts'
import { removeFolder, temporaryFolder } from './temporary.ts'

/** Started by the broker. Its `url` is a folder. */
export async function prepareData(): Promise<SharedEngine> {
  const folder = temporaryFolder('prepared')
  await fill({ dataDir: folder })
  return { url: folder, stop: async () => removeFolder(folder) }
}

/**
 * Started by the broker. Its `url` is the name of a template database on the shared server, which must have no
 * connections.
 */
export async function prepareDatabase(): Promise<SharedEngine> {
  const { url } = await (await startPostgres()).createDatabase()
  await fill({ env: { CADMUS_DATABASE_URL: url, CADMUS_SECRET: testSecret } })
  return { url: new URL(url).pathname.slice(1), stop: async () => {} }
}

async function fill(options: ConsoleOptions): Promise<void> {
  const console = await startConsole({ ...options, fresh: true })
  await console.stop()
}
