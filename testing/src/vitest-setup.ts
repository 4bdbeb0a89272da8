import { startBroker } from './broker.ts'
import { startOwnJdbc } from './jdbc.ts'
import { startOwnMariadb } from './mariadb.ts'
import { startOwnPostgres } from './postgres.ts'
import { prepareData, prepareDatabase } from './prepare.ts'

let stop: Promise<() => Promise<void>> | undefined
let users = 0

/** Called by vitest for each project of a run; all projects share one broker. */
export async function setup(): Promise<void> {
  users += 1
  stop ??= startBroker({
    postgres: startOwnPostgres,
    mariadb: startOwnMariadb,
    jdbc: startOwnJdbc,
    'prepared-data': prepareData,
    'prepared-database': prepareDatabase,
  })
  await stop
}

export async function teardown(): Promise<void> {
  users -= 1
  if (users > 0 || stop === undefined) return
  const end = await stop
  stop = undefined
  await end()
}
